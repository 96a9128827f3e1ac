package view

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/versus"
	"github.com/heapwright/heapwright/internal/termtext"
)

// VersionsText writes two versions that ran side by side for a terminal. All names are
// foreign.
func VersionsText(w io.Writer, c *serve.SideBySide) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s beside %s, from %s to %s\n", c.Service, c.After, c.Before,
		c.From.Format(time.DateTime), c.To.Format(time.DateTime))
	for _, note := range c.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, one := range columns(c) {
		per := "as a share of all; what most functions cost counts as unchanged"
		if one.PerWork {
			per = "per request"
		}
		fmt.Fprintf(&b, "\n%s, %s: %d and %d processes, %s\n", one.Title, per,
			one.Comparison.Before, one.Comparison.After, format.Plural(one.Functions, "function"))
		if one.Total != nil {
			fmt.Fprintf(&b, "all together: %s, %s\n", change(one.Total), one.Total.Verdict)
		}
		if len(one.Changes) == 0 {
			b.WriteString("no function differs by 1% of the service's cost\n")
		}
		changesText(&b, one.Changes)
	}
	_, err := io.WriteString(w, termtext.HarmlessLines(b.String()))
	return err
}

func changesText(w io.Writer, all []*versus.Change) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range all {
		about := ""
		switch {
		case c.Moved != "":
			about = "but it only moved: see " + c.Moved
		case c.Gone:
			about = "but only at first"
		}
		place := ""
		if c.File != "" {
			place = fmt.Sprintf("%s:%d", c.File, c.Line)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\n", c.Verdict, change(c), c.Function, place, about)
	}
	table.Flush()
}
