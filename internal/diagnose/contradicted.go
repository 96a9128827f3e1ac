package diagnose

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// contradict lowers the confidence in findings about settings that save collections, if
// runs without any collection saved less than the findings promise. Those runs are not a
// strict bound: all their memory is new, and new memory costs page faults.
func (d *Document) contradict() {
	m := d.CPU.Measured
	if m == nil {
		return
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		if !rules.BySetting(f.Rule) || m.High >= f.CPU.Low {
			continue
		}
		f.CPU.Low, f.Confidence = max(0, m.Low), evidence.Low
		f.Evidence = append(f.Evidence, rules.Figure{Name: "saved by runs without collections, at most", Value: max(0, m.High), Unit: "fraction"})
		f.Remedy += " Runs without collections saved less than that, so compare first, with heapwright compare -modes."
	}
}
