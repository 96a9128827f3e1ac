package cli

import (
	"context"
	"flag"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
)

var modesCommand = command{
	name:  "modes",
	args:  "[flags]",
	short: "list what can be varied on this machine, and how it is written",
	long: `
Lists the kinds of settings that a mode is made of, the Go versions that are
there and the experiments of the toolchain, those about memory first. What is
not available says why.

  heapwright modes
  heapwright modes -go go1.27.4

A mode is settings joined by "+", a list of modes is separated by commas:
-modes default,GOGC=400,arenas+nogreenteagc. A value that itself holds a comma
or a plus stands in quotes: FOO="a,b". Every mode starts from Go's defaults:
GOGC, GOMEMLIMIT, GODEBUG and GOEXPERIMENT of your environment are set aside.`,
	prepare: func(fs *flag.FlagSet) runner {
		in := fs.String("C", "", "run as if started in `DIR`, for a module whose go.mod may choose a toolchain")
		var json bool
		jsonFlag(fs, &json)
		version := fs.String("go", "", "list what this Go `VERSION` has, as in go1.27.4; it is downloaded if need be")
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
				return report.ModesJSON(env.Stdout, list)
			}
			return report.Modes(env.Stdout, list, machine.SetAside())
		}
	},
}
