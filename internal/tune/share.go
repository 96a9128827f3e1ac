package tune

import (
	"github.com/heapwright/heapwright/internal/result"
)

// shareAnswer gives every comparison the answer of the tuning and its decisions on the
// modes. A comparison's own page would otherwise show another decision on a mode if a
// later comparison has changed it.
func (d *Document) shareAnswer(p Plan) {
	for _, doc := range d.Comparisons() {
		var all []candidate
		for _, m := range doc.Modes {
			if m.Name != doc.Baseline {
				all = append(all, candidate{mode: m.Name})
			}
		}
		answer := &result.Tuning{Answer: d.Answer, Modes: map[string]result.ModeDecision{}}
		for _, own := range judge(doc, all, d.MaxRSS, p.Prices) {
			decision := result.ModeDecision{Decision: own.Decision, Reason: own.Reason}
			for _, t := range d.Tried {
				if t.Mode == own.Mode && t.Decision != own.Decision {
					decision = result.ModeDecision{Decision: t.Decision, Reason: own.Reason + "; by another comparison of the tuning: " + t.Reason}
				}
			}
			answer.Modes[own.Mode] = decision
		}
		doc.Tuning = answer
	}
}
