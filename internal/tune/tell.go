package tune

import (
	"github.com/heapwright/heapwright/internal/result"
)

// tell gives every comparison the answer and the decisions on its modes, so that
// its own pages have no other.
func (d *Document) tell(p Plan) {
	for _, doc := range d.Comparisons() {
		var all []candidate
		for _, m := range doc.Modes {
			if m.Name != doc.Baseline {
				all = append(all, candidate{mode: m.Name})
			}
		}
		told := &result.Tuning{Answer: d.Answer, Modes: map[string]result.ModeDecision{}}
		for _, own := range judge(doc, all, d.MaxRSS, p.Prices) {
			is := result.ModeDecision{Decision: own.Decision, Reason: own.Reason}
			for _, t := range d.Tried {
				if t.Mode == own.Mode && t.Decision != own.Decision {
					is = result.ModeDecision{Decision: t.Decision, Reason: own.Reason + "; by another comparison of the tuning: " + t.Reason}
				}
			}
			told.Modes[own.Mode] = is
		}
		doc.Tuning = told
	}
}
