package main

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/heapwright/heapwright/workloads/program/outside"
)

const (
	shapeLimit = 256 << 20 // memory limit of the cgroup of a shape, bytes
	shapeProcs = 2         // GOMAXPROCS of a shape
)

// shape is a way in which a process uses memory. Its workers allocate garbage
// as fast as they can unless Pace limits them.
type shape struct {
	name, title string
	runs        int // more where the process is near the limit
	seconds     int
	fits        bool    // whether the memory that is not garbage stays below the limit
	live        int     // MiB that live from the start to the end
	pace        float64 // MiB of garbage per second; 0 means as fast as possible
	play        func(until time.Time) error
}

// shapes are sized for shapeLimit. The first runs of a round are the cheapest
// way to see that a change breaks something.
var shapes = []shape{
	{name: "constant", title: "100 MiB live", runs: 2, seconds: 6, fits: true, live: 100},
	{name: "tight", title: "150 MiB live", runs: 10, seconds: 6, fits: true, live: 150},
	{name: "swing", title: "40 MiB live, 190 MiB for a tenth of every 2 s", runs: 10, seconds: 10, fits: true, live: 40, play: swing},
	{name: "spike", title: "40 MiB live and one object of 110 MiB for 50 ms of every second", runs: 2, seconds: 6, fits: true, live: 40, play: spike},
	{name: "leak", title: "40 MiB live, growing by 15 MiB a second up to 175 MiB", runs: 2, seconds: 11, fits: true, live: 40, play: leakUpTo(175)},
	{name: "C at once", title: "70 MiB live, 20 MiB outside the Go heap taken at once", runs: 10, seconds: 6, fits: true, live: 70, play: outsideAfter(2*time.Second, 20, 0)},
	{name: "C growing", title: "70 MiB live, 110 MiB outside the Go heap taken within 6 s", runs: 10, seconds: 8, fits: true, live: 70, play: outsideAfter(time.Second, 110, 6*time.Second)},
	{name: "stacks", title: "40 MiB live, 64 MiB of deep stacks that come and go every second", runs: 2, seconds: 6, fits: true, live: 40, play: stacks},
	{name: "tiny", title: "1 MiB live", runs: 2, seconds: 6, fits: true, live: 1},
	{name: "paced", title: "120 MiB live, 150 MiB of garbage a second", runs: 2, seconds: 6, fits: true, live: 120, pace: 150},
	{name: "leak to the end", title: "40 MiB live, growing by 30 MiB a second until the kernel ends it", runs: 2, seconds: 12, live: 40, play: leakUpTo(1 << 20)},
	{name: "too large", title: "250 MiB live, built up at 100 MiB a second", runs: 2, seconds: 6, live: 1, play: tooLarge},
}

// playShape does the work of a shape in a worker.
func playShape(s shape, done *atomic.Int64) error {
	live := retained(s.live << 20)
	defer runtime.KeepAlive(live)
	for range shapeProcs {
		go churn(s.pace/shapeProcs, done)
	}
	go report(done)
	until := time.Now().Add(time.Duration(s.seconds) * time.Second)
	if s.play != nil {
		if err := s.play(until); err != nil {
			return err
		}
	}
	time.Sleep(time.Until(until))
	return nil
}

type buffer [1 << 10]byte

var discarded atomic.Pointer[buffer]

// churn makes garbage at a pace in MiB per second, 0 for as fast as it can, and
// counts units of 100 KiB. The garbage is buffers, which are cheap to make, so
// that the heap grows as far as it can while a cycle runs.
func churn(pace float64, done *atomic.Int64) {
	const unit = 100 << 10
	began := time.Now()
	for n := 0.0; ; n++ {
		for range unit / len(buffer{}) {
			b := new(buffer)
			b[0] = 1
			discarded.Store(b)
		}
		done.Add(1)
		if pace > 0 {
			time.Sleep(time.Until(began.Add(time.Duration(n * unit / (pace * (1 << 20)) * float64(time.Second)))))
		}
	}
}

func swing(until time.Time) error {
	for time.Now().Before(until) {
		began := time.Now()
		held := retained(150 << 20)
		time.Sleep(200 * time.Millisecond)
		runtime.KeepAlive(held)
		held = nil
		time.Sleep(time.Until(began.Add(2 * time.Second)))
	}
	return nil
}

func spike(until time.Time) error {
	for time.Now().Before(until) {
		b := make([]byte, 110<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		time.Sleep(50 * time.Millisecond)
		runtime.KeepAlive(b)
		b = nil
		time.Sleep(950 * time.Millisecond)
	}
	return nil
}

func leakUpTo(most int) func(time.Time) error {
	return func(until time.Time) error {
		rate := 15 << 20 // bytes per second
		if most > shapeLimit>>20 {
			rate *= 2
		}
		for size := 40 << 20; size < most<<20 && time.Now().Before(until); size += rate / 20 {
			leaked = append(leaked, retained(rate/20))
			time.Sleep(50 * time.Millisecond)
		}
		return nil
	}
}

func tooLarge(until time.Time) error {
	for size := 0; size < 250 && time.Now().Before(until); size += 5 {
		leaked = append(leaked, retained(5<<20))
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

func outsideAfter(wait time.Duration, mib int, within time.Duration) func(time.Time) error {
	return func(time.Time) error {
		time.Sleep(wait)
		return outside.Grow(mib<<20, within)
	}
}

// stacks runs 64 goroutines, each of which needs a stack of 1 MiB for half a second.
func stacks(until time.Time) error {
	for time.Now().Before(until) {
		for range 64 {
			go deep(5_000)
		}
		time.Sleep(time.Second)
	}
	return nil
}

//go:noinline
func deep(n int) byte {
	var frame [64]byte
	frame[n%64] = byte(n)
	if n == 0 {
		time.Sleep(500 * time.Millisecond)
		return frame[1]
	}
	return deep(n-1) + frame[2]
}
