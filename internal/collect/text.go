package collect

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Print writes a document for people.
func (d *Document) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(tw, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	// The memory comes first: people run collect for it.
	if d.AllocSpace != nil && d.AllocObjects != nil {
		row("allocated", "%s in %s objects within %s", format.Bytes(float64(*d.AllocSpace)),
			format.Count(float64(*d.AllocObjects)), format.Seconds(d.WindowSeconds))
	}
	if d.InuseSpace != nil && d.InuseObjects != nil {
		row("live heap", "%s in %s objects", format.Bytes(float64(*d.InuseSpace)),
			format.Count(float64(*d.InuseObjects)))
	}
	if d.GC != nil {
		if g := d.GC.Window; g != nil {
			row("collections", "%d in the window, %d of them forced, %s paused", g.Cycles, g.Forced,
				format.Seconds(g.PauseSeconds))
		}
		row("process", "%s from the system, next collection at %s", format.Bytes(float64(d.GC.Process.Sys)),
			format.Bytes(float64(d.GC.Process.NextGC)))
	}
	if d.RSS != nil {
		row("resident", "%s (RSS)", format.Bytes(float64(*d.RSS)))
	}
	if d.Ceiling != nil {
		row("ceiling", "%s of CPU at most could be saved by allocating less; sampled %s%s",
			format.RoughRange(d.Ceiling.Low, d.Ceiling.High), format.Share(d.Ceiling.Sampled), d.Ceiling.parts())
	}
	// The rest lets a reader decide which figures to trust, and find the files.
	row("build", "%s", d.Build.text())
	for _, f := range d.Files {
		row(f.Type, "%s", f.Path)
	}
	for _, m := range d.Missing {
		name := m.Type + " missing"
		if m.Failed {
			name = m.Type + " FAILED"
		}
		row(name, "%s", termtext.Harmless(m.Reason))
	}
	for _, text := range d.Warnings {
		row("warning", "%s", termtext.Harmless(text))
	}
	return tw.Flush()
}

// parts lists the parts of a ceiling: ": malloc small 8.1%, GC mark 5.0%".
func (c *Ceiling) parts() string {
	var all []string
	for _, class := range cost.Classes() {
		if share := c.Classes[class.String()]; share > 0 && (class.Malloc() || class.Collection()) {
			all = append(all, fmt.Sprintf("%v %s", class, format.Share(share)))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, ", ")
}

func (b Build) text() string {
	if b.GoVersion == NotKnown {
		return fmt.Sprintf("not known; build id %s, of %s", termtext.Harmless(b.BuildID), termtext.Harmless(b.Binary))
	}
	return termtext.Harmless(fmt.Sprintf("%s %s with %s, revision %s", b.Path, b.Version, b.GoVersion, b.Revision))
}
