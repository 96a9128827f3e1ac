package view

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
)

func TestWideRangeIsNoPrediction(t *testing.T) {
	for want, r := range map[string]evidence.Range{
		"31–90%":                               {Low: 0.31, High: 0.9},
		"at most 91% (unknown until measured)": {Low: 0.2, High: 0.91},
	} {
		if got := saving(r); got != want {
			t.Errorf("%v is written %q, not %q", r, got, want)
		}
	}
}
