package trace

import (
	"strings"

	"golang.org/x/exp/trace"
)

// goroutine is one goroutine at the present point of a trace.
type goroutine struct {
	id    int64
	state trace.GoState
	since int64 // the time up to which its state is accounted for
	kind  kind  // what it runs for; none while it does not run
	// exact says that the state's beginning is in the trace.
	exact bool
	// forCollector says that it waits for the collector's sake.
	forCollector bool
	// queued says that it is counted in account.runnable.
	queued       bool
	queue, pause float64 // the account's integrals when it became runnable
	contended    int64   // the account's at the last change of its state
	ran          int64   // the time that it has run while others could have run

	entry  string // the first function; "" is not known yet
	system bool   // the runtime's own
	waiter *Waiter

	worker    kind // the kind of mark worker it is, or none
	stops     kind // paused or stopped while it stops the world, or none
	sweeping  bool
	assisting bool
	line      int32 // the line that assists or sweeps
	assist    int64 // when the assist began; negative is before the trace
	burst     burst
	// joined is its work since it was last idle. The lines that pay in it are causes.
	joined burst
	// from is the line at which it was idle, and wokenBy is the goroutine that woke it
	// there, or 0.
	from    Place
	wokenBy int64
	passed  []passage
	wait    wait
	// behind are the parts of its last shared waits.
	behind []part
	// gone is its present absence or the last one, without the end.
	gone interval
	away away
	lost Parts // a loss that is not filed yet
}

// burst is a goroutine's work since it was last woken.
type burst struct {
	whole  bool // the trace has the beginning
	began  int64
	length int64
	parts  Parts
	pays   []pay
}

func (b *burst) pay(line int32, time int64) {
	for i := range b.pays {
		if b.pays[i].line == line {
			b.pays[i].time += time
			return
		}
	}
	if len(b.pays) < 64 { // a burst that pays in more lines has lost its shape
		b.pays = append(b.pays, pay{line, time})
	}
}

// runs says for whom the goroutine works while it runs.
func (g *goroutine) runs() kind {
	switch {
	case g.state != trace.GoRunning:
		return none
	case g.stops != none:
		return g.stops
	case g.worker != none:
		return g.worker
	case g.assisting:
		return assist
	case g.sweeping || g.entry == "runtime.bgsweep":
		return sweep
	}
	return own
}

// learn takes the first function of a goroutine from a stack, whose outermost
// frame it is.
func (g *goroutine) learn(s trace.Stack) {
	if g.entry != "" || s == trace.NoStack {
		return
	}
	for f := range s.Frames() {
		g.entry = f.Func
	}
	g.entry = name(g.entry)
	// As internal/trace.IsSystemGoroutine, and the goroutine that writes the trace.
	g.system = strings.HasPrefix(g.entry, "runtime.") && g.entry != "runtime.main" ||
		strings.HasPrefix(g.entry, "runtime/trace.")
}
