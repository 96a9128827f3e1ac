package report

import (
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/termtext"
)

// traceItem is one timeline, for the page.
type traceItem struct {
	Key, Mode, Page, Failed string
	Answer                  []string
}

func (g *grid) traceItems() (all []traceItem) {
	for _, t := range g.Traces {
		item := traceItem{Key: termtext.Harmless(t.Key.String()), Mode: termtext.Harmless(t.Mode), Page: t.Page,
			Failed: termtext.Harmless(t.Failed)}
		for _, s := range t.Answer {
			item.Answer = append(item.Answer, termtext.Harmless(s))
		}
		all = append(all, item)
	}
	return all
}

// traces writes the answers of the timelines, and where they are.
func (t *text) traces(dir string) {
	for _, trace := range t.traceItems() {
		said := trace.Mode + " " + trace.Key + ": " + strings.Join(trace.Answer, " ")
		if trace.Failed != "" {
			said += "no timeline: " + trace.Failed
		}
		for _, l := range termtext.Wrap(said, t.Width()) {
			t.line("%s", l)
		}
		if dir != "" && trace.Page != "" {
			t.line("  %s", termtext.Harmless(filepath.Join(dir, filepath.FromSlash(trace.Page))))
		}
	}
	if len(t.Traces) > 0 {
		t.line("")
	}
}
