package cli

import (
	"context"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/mode/view"
)

var modesCommand = command{
	name:  "modes",
	args:  "[flags]",
	short: "list the settings that this machine can measure",
	long: `
Modes lists the settings that a mode can consist of, the available Go versions, and
the toolchain's experiments, beginning with those about memory. If a setting is not
available, the list gives the reason.

  heapwright modes
  heapwright modes -go go1.27.4

"+" joins the settings of a mode, commas separate modes:
-modes default,GOGC=400,arenas+nogreenteagc. Quote a value that contains a comma
or a plus: FOO="a,b". Every mode starts from Go's defaults: GOGC, GOMEMLIMIT,
GODEBUG and GOEXPERIMENT of your environment are ignored.`,
	prepare: func(fs *flagSet) runner {
		in := fs.target.common.String("C", "", "run as if started in `DIR`, for a module whose go.mod may choose a toolchain")
		var json bool
		jsonFlag(fs, &json)
		version := fs.target.common.String("go", "", "list the settings of this Go `VERSION`, such as go1.27.4; it is downloaded if necessary")
		return func(ctx context.Context, env Env, args arguments) error {
			if len(args.names)+len(args.after) > 0 {
				return usagef("modes takes no arguments")
			}
			dir, err := folder(*in)
			if err != nil {
				return err
			}
			machine := mode.NewMachine(dir)
			list, err := mode.List(ctx, machine, *version)
			if err != nil {
				return err
			}
			if json {
				return view.JSON(env.Stdout, list)
			}
			return view.Text(env.Stdout, list, machine.SetAside())
		}
	},
}
