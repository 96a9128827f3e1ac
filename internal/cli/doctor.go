package cli

import (
	"context"
	"flag"

	"github.com/heapwright/heapwright/internal/doctor"
	"github.com/heapwright/heapwright/internal/mode"
)

var doctorCommand = command{
	name:  "doctor",
	args:  "[flags]",
	short: "find the properties of this machine that impair measurements",
	long: `
Examines this machine in about three seconds: the toolchain, the processors and
their load, memory limits and cgroups, the CPU time that a hypervisor steals,
and the noise of a loop that is compared with itself. Each finding names its
effect on measurements and the remedy.

  heapwright doctor
  heapwright doctor -json`,
	prepare: func(fs *flag.FlagSet) runner {
		in := fs.String("C", "", "run as if started in `DIR`, for a target in another module")
		var json bool
		jsonFlag(fs, &json)
		return func(ctx context.Context, env Env, args arguments) error {
			if len(args.names)+len(args.after) > 0 {
				return usagef("doctor takes no arguments")
			}
			dir, err := folder(*in)
			if err != nil {
				return err
			}
			doc, err := doctor.Run(ctx, mode.NewMachine(dir))
			switch {
			case err != nil:
				return err
			case json:
				return doc.WriteJSON(env.Stdout)
			}
			return doc.WriteText(env.Stdout)
		}
	},
}
