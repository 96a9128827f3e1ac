package verdict

import "github.com/heapwright/heapwright/internal/stats"

// decide gives the questions of one metric their verdicts and intervals. Taking
// δ as given, the chance that one "better" or "worse" among them is claimed of
// an effect within ±δ is at most alpha, and that one "same" is claimed of an
// effect beyond at most alpha/2. As δ comes from the same blocks, the first
// holds strictly for effects within its minimum, which are within any δ.
//
// Each question is put in two ways, "is the effect beyond δ?" and "is it within
// δ?", and Holm's method goes through each kind by itself. The two cannot share
// one pass: Holm may loosen the level only for hypotheses that are still open,
// and a "same" does not close the question of a difference elsewhere.
//
// The interval shown is the one that the verdict rests on, made at the level
// that Holm's method held the question against; for an inconclusive effect
// the wider of the two, which lies neither within nor beyond δ.
func decide(family []*question, alpha float64) {
	beyond, within := make([]float64, len(family)), make([]float64, len(family))
	for i, q := range family {
		beyond[i], within[i] = q.paired.Beyond(q.delta), q.paired.Within(q.delta)
	}
	differ, agree := stats.Holm(beyond, alpha), stats.Holm(within, alpha)
	for i, q := range family {
		switch {
		case beyond[i] <= differ[i]:
			q.Verdict = q.direction()
			q.at(differ[i])
		case within[i] <= agree[i]:
			q.Verdict = Same
			q.at(agree[i])
		default:
			q.Verdict = Inconclusive
			q.at(min(differ[i], agree[i]))
		}
	}
}
