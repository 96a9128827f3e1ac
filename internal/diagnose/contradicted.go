package diagnose

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// contradict lowers the confidence in findings about settings that save collections, if
// runs without any collection saved less than the findings promise, and ranks them behind the
// others of the program. Those runs are not a strict bound: all their memory is new, and new
// memory costs page faults.
func (d *Document) contradict() {
	m := d.CPU.Measured
	if m == nil {
		return
	}
	var kept, contradicted, ofTests []rules.Finding
	for _, f := range d.Findings {
		if f.OfTest() {
			ofTests = append(ofTests, f)
			continue
		}
		if !rules.BySetting(f.Rule) || m.High >= f.CPU.Low {
			kept = append(kept, f)
			continue
		}
		f.CPU.Low, f.Confidence = max(0, m.Low), evidence.Low
		f.Evidence = append(f.Evidence, rules.Figure{Name: "saved by runs without collections, at most", Value: max(0, m.High), Unit: "fraction"})
		f.Remedy += " Runs without collections saved less than that, so compare first, with heapwright compare -modes."
		contradicted = append(contradicted, f)
	}
	d.Findings = slices.Concat(kept, contradicted, ofTests)
}
