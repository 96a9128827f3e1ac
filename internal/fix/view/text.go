package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
)

// columns is the width of a terminal that nobody widened.
const columns = 100

// Text writes the answer, a table of all changes, and the patch. where is the file of the
// patch, "" where the text stands beside it.
func Text(w io.Writer, d *fix.Document, where string) error {
	out := bufio.NewWriter(w)
	for _, line := range termtext.Wrap(termtext.Harmless(d.Answer), columns) {
		fmt.Fprintln(out, line)
	}
	for i := range d.Changes {
		c := &d.Changes[i]
		fmt.Fprintf(out, "\n%2d. %s · %s\n", i+1, termtext.Cut(termtext.Harmless(c.Title), columns-30), c.Origin())
		fmt.Fprintf(out, "    %s:%d\n", termtext.Harmless(c.File), c.Line)
		fmt.Fprintf(out, "    %-9s CPU %s\n", "estimate", format.RoughRange(c.Estimate.Low, c.Estimate.High))
		if c.Gain != nil {
			for i, line := range termtext.Wrap(measured(c.Gain), columns-14) {
				fmt.Fprintf(out, "    %-9s %s\n", []string{"measured", ""}[min(i, 1)], line)
			}
		}
		if share, ok := c.InProduction(); ok {
			p := c.Production
			fmt.Fprintf(out, "    %-9s about %s of CPU in production, where the function has %s of it and not %s\n", "there",
				format.Change(1+share), format.RoughShare(p.Production), format.RoughShare(p.Here))
		}
		for _, s := range c.Proof {
			state := "passes"
			if !s.Passed {
				state = "fails"
			}
			fmt.Fprintf(out, "    %-9s %s in %s\n", s.Name, state, format.Seconds(s.Seconds))
		}
		lines := termtext.Wrap(termtext.Harmless(string(c.Outcome)+": "+c.Why), columns-4)
		for _, line := range lines {
			fmt.Fprintf(out, "    %s\n", line)
		}
	}
	if d.Patch != "" {
		fmt.Fprintln(out)
		for line := range strings.Lines(d.Patch) {
			fmt.Fprintf(out, "    %s\n", termtext.Harmless(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t",
				"    ")))
		}
	}
	for _, n := range d.Notes {
		fmt.Fprintf(out, "\n  · %s", termtext.Harmless(n))
	}
	if where != "" && d.Patch != "" {
		fmt.Fprintf(out, "\nThe patch: %s. To apply it: heapwright fix -apply\n", where)
	}
	return out.Flush()
}

// measured shows the metrics that a change is to improve.
func measured(g *fix.Gain) string {
	if words := g.Words(); words != "" {
		return words
	}
	return "CPU " + format.Change(g.Geomean[sample.Primary]) + ", not decided"
}

// Commit writes a commit message for the patch, with the measured gains.
func Commit(w io.Writer, d *fix.Document) error {
	if d.Patch == "" || d.Gain == nil {
		return nil
	}
	out := bufio.NewWriter(w)
	var kept []*fix.Change
	for i := range d.Changes {
		if d.Changes[i].Outcome == fix.Kept {
			kept = append(kept, &d.Changes[i])
		}
	}
	fmt.Fprintf(out, "allocate less: %s\n\n", d.Gain.Words())
	for _, c := range kept {
		fmt.Fprintf(out, "- %s:%d: %s: %s\n", c.File, c.Line, c.Title, c.Gain.Words())
	}
	fmt.Fprintf(out, "\nMeasured on %s by heapwright, in %s.\n", d.Target, format.Plural(d.Gain.Blocks, "block"))
	return out.Flush()
}

// Done prints a line for each name that something was done to.
func Done(w io.Writer, what string, names []string) error {
	for _, name := range names {
		if _, err := fmt.Fprintf(w, "%s %s\n", what, termtext.Harmless(name)); err != nil {
			return err
		}
	}
	return nil
}
