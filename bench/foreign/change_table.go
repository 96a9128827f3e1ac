package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
)

// changesSection shows predictions beside measurements.
func (t *table) changesSection() string {
	var b strings.Builder
	b.WriteString(`Each change was made by hand as findings advise, the module's tests were run, and ` + "`heapwright compare`" + ` measured the CPU
time saved. The prediction is the sum of the findings that the change carries out. Inside means that the measured saving lies
in the predicted range.

` + page.Columns("place", "findings", "change", "predicted:", "measured:", "inside"))
	measured, inside, modules := 0, 0, map[string]bool{}
	for _, c := range t.changes {
		at := c.change.Of + " " + cmp.Or(c.change.For, "as a whole")
		switch {
		case len(c.findings) == 0:
			b.WriteString(page.Row(at, "none", c.change.What, "", "", ""))
			continue
		case c.failed != "":
			why, _, _ := strings.Cut(c.failed, "\n")
			b.WriteString(page.Row(at, c.rules(), c.change.What, format.ShareInterval(c.predicted.Low, c.predicted.High), why, ""))
			continue
		}
		measured, modules[c.change.Of] = measured+1, true
		held := "no"
		if c.inside() {
			inside, held = inside+1, "yes"
		}
		b.WriteString(page.Row(at, c.rules(), c.change.What, format.ShareInterval(c.predicted.Low, c.predicted.High),
			fmt.Sprintf("%s [%s, %s]", format.Share(c.saved), format.Share(c.low), format.Share(c.high)), held))
	}
	fmt.Fprintf(&b, "\n**%d of %d inside, in %d modules.**\n", inside, measured, len(modules))
	return b.String()
}

// rules names the rules of the findings, each once.
func (c *changeResult) rules() string {
	var names []string
	for _, f := range c.findings {
		if !slices.Contains(names, f.Rule) {
			names = append(names, f.Rule)
		}
	}
	return strings.Join(names, ", ")
}
