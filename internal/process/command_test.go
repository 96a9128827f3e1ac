package process

import "testing"

// The kernel's two readings of one peak differ by some pages: an upper bound is
// still known as one, and a peak of the target's own is not taken for one.
func TestAtMost(t *testing.T) {
	const floor = 200 << 20
	for peak, want := range map[int64]bool{floor - 4096: true, floor: true, floor + 20480: true, floor + 4<<20: false} {
		if got := (Usage{PeakRSS: peak, Floor: floor}).AtMost(); got != want {
			t.Errorf("peak %d, floor %d: at most is %t", peak, floor, got)
		}
	}
}
