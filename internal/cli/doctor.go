package cli

import (
	"context"

	"github.com/heapwright/heapwright/internal/doctor"
	"github.com/heapwright/heapwright/internal/mode"
)

var doctorCommand = command{
	name:  "doctor",
	args:  "[flags]",
	short: "find what impairs measurements on this machine",
	long: `
Doctor takes about three seconds to examine the toolchain, the processors and their
load, memory limits and cgroups, stolen CPU time, and the noise of a loop compared
with itself. Each finding gives its effect on measurements and a remedy.

  heapwright doctor
  heapwright doctor -json`,
	prepare: func(fs *flagSet) runner {
		in := fs.target.common.String("C", "", "run as if started in `DIR`, for a target in another module")
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
