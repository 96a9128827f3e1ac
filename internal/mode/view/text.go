// Package view shows what can be varied on this machine.
package view

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/heapwright/heapwright/internal/mode"
)

// Text lists everything that can be varied, and the variables of the user's environment
// that are set aside. Kinds of one line stand in one block, a kind of many in a
// block of its own.
func Text(w io.Writer, list []mode.Available, aside []string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "%s\tnothing set; the others are compared with it\n", mode.Default)
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
	for _, entry := range aside {
		fmt.Fprintf(tw, "\nSet aside: %s of your environment; write it as a mode to measure it.\n", entry)
	}
	return tw.Flush()
}
