package evidence

import (
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

func TestStale(t *testing.T) {
	const stack = "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	count := func(n float64) Counts { return Counts{Cycles: Known{n, true}} }
	for name, test := range map[string]struct {
		sums []int64 // objects allocated, by profile
		rt   Runtime
		want float64 // seconds; 0 is not stale
	}{
		"one profile":           {[]int64{100}, Runtime{}, 0},
		"no collection":         {[]int64{100, 100, 100}, Runtime{}, 20},
		"counted, none":         {[]int64{100, 100, 100}, Runtime{Recent: count(0), Collected: time.Unix(1_700_000_000-70, 0)}, 90},
		"counted, many":         {[]int64{100, 100, 100}, Runtime{Recent: count(9)}, 0},
		"several collections":   {[]int64{100, 200, 300}, Runtime{}, 0},
		"collected before each": {[]int64{100, 100, 100}, Runtime{Recent: count(0), Fresh: true}, 0},
	} {
		all := NewProfiles(0)
		for i, n := range test.sums {
			if err := all.AddFile(profiletest.NewHeap(int64(10*i)).Heap(n, 90, stack).File(t, "heap")); err != nil {
				t.Fatal(err)
			}
		}
		e, err := New(t.Context(), all, nil, test.rt)
		if err != nil {
			t.Fatal(err)
		}
		if e.Stale.OK != (test.want > 0) || e.Stale.Value != test.want {
			t.Errorf("%s: %+v, want %v", name, e.Stale, test.want)
		}
	}
}
