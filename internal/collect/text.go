package collect

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchunit"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/plain"
)

// Print writes a document for people.
func (d *Document) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(tw, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	if d.AllocSpace != nil && d.AllocObjects != nil {
		row("allocated", "%s in %s objects within %.1f s", bytesText(*d.AllocSpace), count(*d.AllocObjects), d.WindowSeconds)
	}
	if d.InuseSpace != nil && d.InuseObjects != nil {
		row("live heap", "%s in %s objects", bytesText(*d.InuseSpace), count(*d.InuseObjects))
	}
	if d.GC != nil {
		if g := d.GC.Window; g != nil {
			row("collections", "%d in the window, %d of them forced, %s paused", g.Cycles, g.Forced, benchunit.Scale(g.PauseSeconds, benchunit.Decimal)+"s")
		}
		row("process", "%s from the system, next collection at %s", bytesText(d.GC.Process.Sys), bytesText(d.GC.Process.NextGC))
	}
	if d.RSS != nil {
		row("resident", "%s (RSS)", bytesText(*d.RSS))
	}
	if d.Ceiling != nil {
		row("ceiling", "%.0f–%.0f %% of CPU at most could be saved by allocating less; sampled %.1f %%%s",
			100*d.Ceiling.Low, 100*d.Ceiling.High, 100*d.Ceiling.Sampled, d.Ceiling.parts())
	}
	row("build", "%s", d.Build.text())
	for _, f := range d.Files {
		row(f.Type, "%s", f.Path)
	}
	for _, m := range d.Missing {
		name := m.Type + " missing"
		if m.Failed {
			name = m.Type + " FAILED"
		}
		row(name, "%s", plain.Harmless(m.Reason))
	}
	for _, text := range d.Warnings {
		row("warning", "%s", plain.Harmless(text))
	}
	return tw.Flush()
}

// parts says what a ceiling is made of: ": malloc small 8.1 %, GC mark 5.0 %".
func (c *Ceiling) parts() string {
	var all []string
	for _, class := range cost.Classes() {
		if share := c.Classes[class.String()]; share > 0 && (class.Malloc() || class.Collection()) {
			all = append(all, fmt.Sprintf("%v %.1f %%", class, 100*share))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, ", ")
}

func (b Build) text() string {
	if b.GoVersion == NotKnown {
		return fmt.Sprintf("not known; build id %s, of %s", plain.Harmless(b.BuildID), plain.Harmless(b.Binary))
	}
	return plain.Harmless(fmt.Sprintf("%s %s with %s, revision %s", b.Path, b.Version, b.GoVersion, b.Revision))
}

func bytesText[T int64 | uint64](n T) string {
	return benchunit.Scale(float64(n), benchunit.Binary) + "B"
}

func count(n int64) string { return benchunit.Scale(float64(n), benchunit.Decimal) }
