package trace

import (
	"cmp"
	"maps"
	"slices"

	"golang.org/x/exp/trace"
)

const (
	// maxRunners bounds the lines that hold processors with an entry of their own, and
	// listedRunners is how many of them a document lists.
	maxRunners, listedRunners = 1 << 12, 20
)

// ready sums up the time in which goroutines could run and had no processor. cause is its
// number among the causes that joined bursts pay for.
type ready struct {
	cause   int32
	time    int64
	runners map[absence]int64
}

func newReady(c *causes) ready {
	return ready{cause: c.number(cause{key: key{kind: readyWait}}), runners: map[absence]int64{}}
}

// wait charges a goroutine for the time in which it could have run, apart from the part of
// the collector and of others that stop the world.
func (r *ready) wait(g *goroutine, took int64) {
	if took <= 0 {
		return
	}
	r.time += took
	g.joined.pay(r.cause, took)
}

// leaves charges the line at which a goroutine leaves its processor for the time in which
// it ran while others could have run. Goroutines that compute are stopped every 10 ms
// while others wait, so that their lines show as in samples.
func (r *ready) leaves(g *goroutine, at site, to trace.GoState) {
	ran := g.ran
	g.ran = 0
	line := absence{at: at.at, via: at.via}
	if ran <= 0 || g.system || to == trace.GoRunning {
		return
	}
	if _, known := r.runners[line]; known || len(r.runners) < maxRunners {
		r.runners[line] += ran
	}
}

// sum returns the waits, and the lines that ran meanwhile.
func (r *ready) sum(paid map[int32]int64) Ready {
	out := Ready{Time: r.time, InTail: paid[r.cause], Runners: []Runner{}}
	for _, line := range slices.SortedFunc(maps.Keys(r.runners), func(a, b absence) int {
		return cmp.Or(cmp.Compare(r.runners[b], r.runners[a]), cmp.Compare(a.at.File, b.at.File),
			cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Function, b.at.Function), cmp.Compare(a.via, b.via))
	}) {
		if len(out.Runners) < listedRunners {
			out.Runners = append(out.Runners, Runner{Place: line.at, Via: line.via, Time: r.runners[line]})
		}
	}
	return out
}
