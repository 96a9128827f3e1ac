package view

import (
	"fmt"
	"html/template"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/webpage"
)

// Spending draws the shares of CPU time as a stacked bar, in the colours of flame graphs
// for cost classes. The page needs the rules of flame.ClassStyle.
func Spending(s *diagnose.Spending) template.HTML {
	classes := map[string]cost.Class{}
	for _, c := range cost.Classes() {
		classes[c.String()] = c
	}
	var parts []webpage.Part
	for _, c := range s.Classes {
		parts = append(parts, webpage.Part{Name: c.Class, Value: c.Share, Label: format.Share(c.Share),
			Class: fmt.Sprintf("cost-%d", classes[c.Class])})
	}
	return webpage.Stack(parts)
}

// neverTouched is the name of the part that is subtracted from the others.
const neverTouched = "never touched"

// holding draws the parts of memory as a stacked bar.
func holding(h diagnose.Holding) template.HTML {
	var parts []webpage.Part
	for i, p := range h.Parts {
		if p.Name != neverTouched {
			parts = append(parts, webpage.Part{Name: p.Name, Value: p.Bytes, Label: unbroken(format.Bytes(p.Bytes)), Class: webpage.Tone(i)})
		}
	}
	return webpage.Stack(parts)
}
