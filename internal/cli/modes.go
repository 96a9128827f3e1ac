package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/heapwright/heapwright/internal/mode"
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
		in := fs.String("C", "", "list for the module in `DIR`, whose go.mod may choose a toolchain")
		version := fs.String("go", "", "list what this Go `VERSION` has, as in go1.27.4; it is downloaded if need be")
		return func(ctx context.Context, env Env, args arguments) error {
			if len(args.names)+len(args.after) > 0 {
				return usagef("modes takes no arguments")
			}
			dir, err := folder(*in)
			if err != nil {
				return err
			}
			return listModes(ctx, env.Stdout, mode.NewMachine(dir), *version)
		}
	},
}

// listModes writes kinds of one line in one block, and a block for each kind
// of many.
func listModes(ctx context.Context, w io.Writer, machine *mode.Machine, version string) error {
	list, err := mode.List(ctx, machine, version)
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "%s\tnothing set: what the others are compared with\n", mode.Default)
	lines := map[string]int{}
	for _, a := range list {
		lines[a.Kind]++
	}
	header := ""
	for _, a := range list {
		if lines[a.Kind] > 1 && a.Kind != header {
			header = a.Kind
			fmt.Fprintf(tw, "\n%s\n", header)
		}
		text := a.Doc
		if !a.Available {
			text = "not available: " + a.Why
		}
		fmt.Fprintf(tw, "%s\t%s\n", a.Syntax, text)
	}
	for _, entry := range machine.SetAside() {
		fmt.Fprintf(tw, "\nSet aside: %s of your environment; write it as a mode to measure it.\n", entry)
	}
	return tw.Flush()
}
