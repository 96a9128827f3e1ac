package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// Collections says why collections ran. The runtime starts one when the heap reaches
// its goal, so that allocation is its cause. It starts others because the program asks
// for them, and more than GOGC would where a memory limit keeps the goal down.
type Collections struct {
	Counts
	// ByForce and ByGoal are the shares of the collector's work that would not be there
	// without the calls, and with a goal of twice the live heap. The second is a share
	// of the rest.
	ByForce, ByGoal float64
	Room            Known     // bytes that are allocated from one collection to the next
	Forcing         []Forcing // lines that ask for them, the one with most samples first
}

// Counts counts the collections of a time.
type Counts struct {
	Cycles    Known
	Forced    Known // cycles that the program asked for
	Allocated Known // bytes, meanwhile
	Shared    bool  // Forced may count collections that a benchmark's frame or a profile asked for
}

// Forcing is a line that asks for collections.
type Forcing struct {
	Frame           // innermost own line or, without one, the innermost outside the runtime
	Own     bool    // the line is of the program's own code
	Call    string  // "runtime.GC" or "debug.FreeOSMemory"
	Path    []Frame // the leaf first
	Samples float64 // samples of CPU time below the call, and goroutines that were seen there
}

const (
	// CloseGoal is the greatest ratio of heap goal to live heap at which the goal
	// counts as close. GOGC=100 makes it 2.
	CloseGoal = 1.5
	// leastCrowded in bytes is the live heap below which the goal is never close: no
	// GOGC of 100 or more makes it lower than 4 MiB (heapMinimum of mgcpacer.go).
	leastCrowded = 4 << 20
	// fewCycles are collections that show no mean room between them.
	fewCycles = 3
	// leastRoom is the room for garbage, as a share of the live heap, that is assumed
	// where the goal lies at the live heap or below.
	leastRoom = 0.02
)

// Excess is the share of the collector's work that allocating less is no remedy for.
func (c *Collections) Excess() float64 { return 1 - (1-c.ByForce)*(1-c.ByGoal) }

// explainCollections fills Collections, and corrects the live heap, which has been
// summed up before, by the room that collections leave.
func (b *builder) explainCollections(live Known) {
	c := &b.Collections
	c.Counts = b.Runtime.Recent
	b.findForcing()
	if c.Shared && len(c.Forcing) == 0 {
		c.Forced = Known{}
	}
	goal := b.Runtime.Goal
	room := goal.Value - live.Value
	natural := max(0, c.Cycles.Value-c.Forced.Value)
	switch {
	case !c.Forced.OK || c.Cycles.Value == 0:
		c.ByForce = b.forcedBySamples()
	case c.Forced.Value > 0:
		left := natural
		if goal.OK && live.OK && c.Allocated.OK && room > 0 {
			left = max(left, c.Allocated.Value/room) // these would come without the calls
		}
		c.ByForce = Clamp(1 - left/c.Cycles.Value)
	}
	if !goal.OK || !live.OK || live.Value < leastCrowded || goal.Value > CloseGoal*live.Value {
		return
	}
	c.Room = Known{max(room, leastRoom*live.Value), true}
	if c.Allocated.OK && natural >= fewCycles {
		c.Room.Value = c.Allocated.Value / natural
	}
	b.Live.Value = max(live.Value, goal.Value-c.Room.Value) // a heap profile may be older than the goal
	// A live heap that has shrunk since its profile also has a goal below 1.5 times of it,
	// but not collections that follow each other closely.
	if spared := 1 - c.Room.Value/live.Value; spared >= 1-(CloseGoal-1) {
		c.ByGoal = Clamp(spared)
	}
}

// forcedBySamples estimates the share of collections that the program asked for where
// no counter has it. Asking for one sweeps all of the heap in the caller; other
// collections leave that to the background and to allocations.
func (b *builder) forcedBySamples() float64 {
	if b.cpu == nil {
		return 0
	}
	count, ok := b.cpu.Column("samples")
	if !ok {
		return 0
	}
	classes := cost.NewClassifier(b.dict)
	var below, all float64
	for row, stack := range b.cpu.Stacks {
		n := float64(b.cpu.Values[count][row])
		switch {
		case b.places[stack].forces:
			if _, ok := b.forcing(b.Frames(stack)); ok {
				below += n
			}
		case classes.Class(stack) == cost.Sweep:
			all += n
		}
	}
	if below < MinSamples {
		return 0
	}
	return below / (below + all)
}

// giveBack collects and then returns the free memory to the system.
const giveBack = "runtime/debug.freeOSMemory"

// findForcing finds the lines below which the program asks for collections.
func (b *builder) findForcing() {
	index := map[Frame]int{}
	add := func(stack profile.StackID, n float64) {
		f, ok := b.forcing(b.Frames(stack))
		if !ok {
			return
		}
		i, known := index[f.Frame]
		if !known {
			i = len(b.Collections.Forcing)
			index[f.Frame] = i
			b.Collections.Forcing = append(b.Collections.Forcing, f)
		}
		b.Collections.Forcing[i].Samples += n
	}
	if b.cpu != nil {
		count, ok := b.cpu.Column("samples")
		for row, stack := range b.cpu.Stacks {
			if ok && b.places[stack].forces {
				add(stack, float64(b.cpu.Values[count][row]))
			}
		}
	}
	for _, p := range b.goroutines {
		for stack, n := range counts(p) {
			add(stack, n)
		}
	}
	slices.SortStableFunc(b.Collections.Forcing, func(a, b Forcing) int { return cmp.Compare(b.Samples, a.Samples) })
}

// forcing returns the line that asks for a collection, and false for other stacks and
// where a profile or a benchmark asks for it.
func (b *builder) forcing(path []Frame) (f Forcing, ok bool) {
	for i, at := range path {
		switch {
		case at.Function == "runtime.GC":
			f.Call = "runtime.GC"
			continue
		case at.Function == giveBack:
			f.Call = "debug.FreeOSMemory"
			continue
		case f.Call == "", owner.OfRuntime(at.Function), strings.HasPrefix(at.Function, "runtime/debug."):
			continue
		case f.Function == "" && (ofProfiler(at.Function) || strings.HasPrefix(at.Function, "testing.")):
			return f, false
		}
		if f.Own = b.Owns(at); f.Own || f.Function == "" {
			f.Frame, f.Path = at, path[i:]
		}
		if f.Own {
			break
		}
	}
	f.Path = f.Path[:min(len(f.Path), maxPath)]
	return f, f.Function != ""
}
