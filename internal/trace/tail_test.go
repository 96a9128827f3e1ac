package trace

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A quantile is that of the sorted lengths, as far as buckets tell them apart, and
// its tail holds every length from there on.
func TestTailHoldsQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.Int64Range(0, 1e12), 1, 300).Draw(t, "lengths")
		h := newTail()
		for i, l := range lengths {
			h.add(l, Parts{Assist: l / 2}, []pay{{int32(i % 3), l / 2}})
		}
		sum, paid := h.sum()
		slices.Sort(lengths)
		for _, q := range sum.Quantiles {
			want := lengths[int(math.Ceil(q.Q*float64(len(lengths))))-1]
			if math.Abs(float64(q.Length-want)) > float64(want)/32+1 {
				t.Fatalf("q %v: %d, want %d", q.Q, q.Length, want)
			}
			if beyond := int64(len(lengths)) - int64(math.Ceil(q.Q*float64(len(lengths)))) + 1; q.Count < beyond {
				t.Fatalf("q %v: %d in the tail, want at least %d", q.Q, q.Count, beyond)
			}
			if q.Total > 100 && math.Abs(q.Share()-0.5) > 0.05 && q.Total > int64(q.Count)*100 {
				t.Fatalf("q %v: share %v, want a half", q.Q, q.Share())
			}
		}
		var all int64
		for _, time := range paid {
			all += time
		}
		if tail := sum.At(payQuantile); all != tail.Parts.Assist {
			t.Fatalf("lines pay %d in the tail, which has %d", all, tail.Parts.Assist)
		}
	})
}
