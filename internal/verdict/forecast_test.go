package verdict

import (
	"testing"
	"time"
)

// The time that a forecast tells is that of its blocks.
func TestForecast(t *testing.T) {
	for _, test := range []struct {
		more     []int
		perBlock time.Duration
		want     string
		time     time.Duration
	}{
		{[]int{3, 1}, 0, "about 3 more blocks", 0},
		{[]int{1}, time.Second, "about 1 more block (about 10 s)", 10 * time.Second},
		{[]int{373, 12}, 8400 * time.Millisecond, "about 370 more blocks (about 52m)", 52 * time.Minute},
		{[]int{19}, 27 * time.Second, "about 19 more blocks (about 8m40s)", 520 * time.Second},
	} {
		var open []Effect
		for _, n := range test.more {
			open = append(open, Effect{MoreBlocks: n})
		}
		f := newForecast(open, test.perBlock)
		if f.String() != test.want || f.Time() != test.time {
			t.Errorf("%v of %v: %q, %v; want %q", test.more, test.perBlock, f, f.Time(), test.want)
		}
	}
	if f := newForecast(nil, time.Second); f != nil {
		t.Errorf("nothing is open, and it takes %v", f)
	}
}
