package experiment

import (
	"testing"
	"time"
)

func TestManyBenchmarksAreRecordedForLess(t *testing.T) {
	for _, test := range []struct {
		n        int
		all, run time.Duration
	}{
		{1, 10 * time.Second, 2 * time.Second},
		{4, 0, 2 * time.Second},
		{4, 10 * time.Second, 2 * time.Second}, // few have all of it, whatever the budget
		{100, 65 * time.Second, 200 * time.Millisecond},
		{1000, 65 * time.Second, 100 * time.Millisecond},
	} {
		p := Plan{RunTime: 2 * time.Second, Recordings: test.all}
		if got := p.recordingTime(test.n); got != test.run {
			t.Errorf("%d benchmarks in %v: %v each, want %v", test.n, test.all, got, test.run)
		}
	}
}
