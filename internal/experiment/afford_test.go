package experiment

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The planned recordings fit into the time, unless it is too short for one; and
// no benchmark is left out that would have fitted.
func TestAffordRecording(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left := time.Duration(rapid.IntRange(0, 60_000).Draw(t, "left ms")) * time.Millisecond
		p := pace{start: time.Duration(rapid.IntRange(50, 5000).Draw(t, "start ms")) * time.Millisecond, run: 2 * time.Second}
		n := rapid.IntRange(1, 300).Draw(t, "benchmarks")
		done := rapid.IntRange(0, n).Draw(t, "calibrated")
		for range done {
			p.own = append(p.own, time.Duration(rapid.IntRange(50, 5000).Draw(t, "own start ms"))*time.Millisecond)
		}
		need := func(n int, run time.Duration) (sum time.Duration) {
			for i := range n {
				sum += time.Duration(1.25 * float64(run))
				if i < done {
					sum += 2 * p.own[i]
				} else {
					sum += 3*p.start + 2*run
				}
			}
			return sum
		}
		got, run := affordRecording(left, p, n)
		least := max(1, done)
		if got < least || got > n || run < leastRecording || run > p.run {
			t.Fatalf("%d of %d benchmarks, %v each", got, n, run)
		}
		if took := need(got, run); got > least && took > left+time.Millisecond {
			t.Errorf("%d benchmarks of %v take %v of %v", got, run, took, left)
		}
		if got < n && need(got+1, leastRecording) < left-time.Millisecond {
			t.Errorf("%d of %d fit, one more would", got, n)
		}
	})
}

// One benchmark that prepares its data for long does not decide how many fit;
// processes that all start slowly do.
func TestUsualStart(t *testing.T) {
	const slow = 5 * time.Second
	for _, test := range []struct {
		listed time.Duration
		starts []time.Duration
		want   time.Duration
	}{
		{0, nil, startup},
		{0, []time.Duration{slow}, startup},
		{time.Second, []time.Duration{slow, 0}, time.Second},
		{0, []time.Duration{slow, slow, slow}, slow},
		{0, []time.Duration{-slow}, startup},
	} {
		if got := usualStart(test.listed, test.starts); got != test.want {
			t.Errorf("listed %v, starts %v: %v, want %v", test.listed, test.starts, got, test.want)
		}
	}
}

// The cost of a process beside its run decides how many benchmarks fit.
func TestAffordBlocks(t *testing.T) {
	runs := func(int) int { return 26 }
	p := pace{start: 50 * time.Millisecond, run: 200 * time.Millisecond}
	if n := affordBlocks(time.Minute, p, 20, runs); n != 6 {
		t.Errorf("%d of 20 benchmarks fit", n)
	}
	p.own = []time.Duration{time.Second} // one alone that starts slowly
	if n := affordBlocks(time.Minute, p, 20, runs); n != 2 {
		t.Errorf("%d of 20 benchmarks fit, the first one slow", n)
	}
	p.start = 2 * time.Second
	if n := affordBlocks(time.Minute, p, 20, runs); n != 1 {
		t.Errorf("%d benchmarks that start slowly fit", n)
	}
}

// A recording tells the time of its process beside the run by a second, shorter one.
func TestRecordingStart(t *testing.T) {
	r := Recording{Seconds: 5 + 2, DumpTime: 5 + 0.5, RunTime: time.Second}
	if s := r.Start(); s < 4999*time.Millisecond || s > 5001*time.Millisecond {
		t.Errorf("start %v", s)
	}
	if s := r.Stretch(); s < 1.99 || s > 2.01 {
		t.Errorf("stretch %v", s)
	}
}
