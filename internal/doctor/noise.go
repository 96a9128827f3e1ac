package doctor

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/stats"
)

const (
	pairs    = 20                    // enough for a 95% interval that is no single pair's
	spinTime = 25 * time.Millisecond // one run; long compared with a scheduler's time slice
	noisy    = 0.02                  // half the interval's width, from which small effects need many blocks
)

// noise compares a spin loop with itself: the difference in its CPU time is the
// machine's alone.
func noise(ctx context.Context, _ *mode.Machine) Check {
	rounds := calibrate()
	var differences []float64
	for range pairs {
		if ctx.Err() != nil {
			return Check{}
		}
		a, b := timed(rounds), timed(rounds)
		if a > 0 && b > 0 {
			differences = append(differences, math.Log(float64(b)/float64(a)))
		}
	}
	p, err := stats.NewDifferences(differences)
	if err != nil {
		return Check{Status: Bad, Found: "the CPU time of this process cannot be read: " + err.Error(),
			Effect: "Nothing can be judged."}
	}
	interval := p.Interval(0.05)
	width := (interval.High - interval.Low) / 2
	c := Check{Status: Good, Found: fmt.Sprintf("a loop compared with itself, %d pairs of %v: ±%s", p.N(),
		spinTime, format.Share(width))}
	if width > noisy {
		c.Status = Poor
		c.Effect = "Effects of a few percent are hidden by noise: expect verdicts of inconclusive."
		c.Remedy = "Stop other programs, fix the processors' frequency, or allow a larger -budget."
	}
	return c
}

// calibrate returns how many rounds of the loop take about spinTime.
func calibrate() int {
	rounds := 1 << 16
	for range 16 { // bounds the loop where the clock stands still
		took := timed(rounds)
		if took >= spinTime {
			break
		}
		rounds *= 2
	}
	return rounds
}

// timed returns the CPU time of some rounds of the loop.
func timed(rounds int) time.Duration {
	before := cpuTime()
	spin(rounds)
	return cpuTime() - before
}

var sink uint64

// spin computes a chain of numbers that no compiler can shorten (xorshift,
// Marsaglia, J. Stat. Softw. 8, 2003).
func spin(rounds int) {
	x := sink | 1
	for range rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink = x
}

func spinFor(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil; {
		spin(1 << 16)
	}
}
