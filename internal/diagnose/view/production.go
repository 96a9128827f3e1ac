package view

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// production writes how similar a target is to its production.
func (t text) production(all []evidence.Likeness) {
	if len(all) == 0 {
		return
	}
	t.head("Like production?")
	for _, l := range all {
		t.line("  %s %s overlap by function, %s by line; %s of production's is in functions that run here",
			termtext.Fit(l.Metric, 5), format.RoughShare(l.Functions), format.RoughShare(l.Lines), format.RoughShare(l.Reached))
		for _, d := range l.Less {
			t.difference("more there", d)
		}
		for _, d := range l.More {
			t.difference("less there", d)
		}
	}
}

func (t text) difference(name string, d evidence.Difference) {
	t.line("    %s %s here, %s there   %s", termtext.Fit(name, 12), termtext.FitRight(format.RoughShare(d.Here), 6),
		termtext.FitRight(format.RoughShare(d.Production), 6), termtext.Cut(termtext.Harmless(profile.ShortName(d.Function)), columns-46))
}
