package evidence

import (
	"fmt"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// Only growth that is likely and undecided is worth more time.
func TestUndecided(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	for name, test := range map[string]struct {
		live  [6]int64 // objects of 64 bytes
		exact float64  // growth of the exact heap from one profile to the next, in bytes
		known bool     // the exact heap is
		more  bool
	}{
		"likely":        {live: [6]int64{100e3, 130e3, 118e3, 150e3, 140e3, 180e3}, more: true},
		"sure":          {live: [6]int64{100e3, 400e3, 700e3, 1000e3, 1300e3, 1600e3}},
		"up and down":   {live: [6]int64{100e3, 130e3, 90e3, 120e3, 85e3, 101e3}},
		"falling":       {live: [6]int64{400e3, 300e3, 250e3, 200e3, 150e3, 100e3}},
		"exactly":       {live: [6]int64{100e3, 130e3, 118e3, 150e3, 140e3, 180e3}, known: true},
		"it does grow":  {live: [6]int64{100e3, 130e3, 118e3, 150e3, 140e3, 180e3}, known: true, exact: 1 << 20, more: true},
		"hardly at all": {live: [6]int64{100e3, 100e3, 101e3, 101e3, 102e3, 102e3}},
	} {
		t.Run(name, func(t *testing.T) {
			var files []string
			var rt Runtime
			for i, n := range test.live {
				h := profiletest.NewHeap(int64(3*i)).Heap(int64(i+1)*200e3+n, n, stack)
				files = append(files, h.File(t, fmt.Sprint(i)))
				if test.known {
					rt.Heaps = append(rt.Heaps, LiveHeap{time.Unix(0, h.TimeNanos), 10<<20 + float64(i)*test.exact})
				}
			}
			if more := built(t, rt, files...).Undecided(); test.more != (more > 0) {
				t.Errorf("%v more", more)
			}
		})
	}
}
