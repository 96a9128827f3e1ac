package rules

import (
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/evidence"
)

const (
	// rarely is the number of collections a second that cost little: each takes at most a
	// millisecond with a small heap.
	rarely = 1.0
	// mostFloor is a size in bytes that every process may ask for.
	mostFloor = 256 << 20
	// partOfMemory is how much of the memory that there is a floor may be: other
	// processes, stacks and caches of files need some, and the goal lies up to
	// 1.42 times as high as the floor (docs/internals/gctune.md).
	partOfMemory = 1.0 / 8
	// mostRoom is the largest factor for the room for garbage. With it, one of 16 collections
	// is left, and more room would save little.
	mostRoom = 16
	// heapMinimum is the heap at which the first collection begins at GOGC=100
	// (runtime/mgcpacer.go).
	heapMinimum = 4 << 20
)

// A floor is a heap floor to recommend, with the settings that have the same effect. Sizes are
// in bytes.
type floor struct {
	live, goal float64 // without the floor
	size       float64
	limit      float64        // memory limit for a GOGC that is as large
	perSecond  evidence.Known // collections, as it is
}

// floorFor returns the floor that makes collections rare. If the rate of allocation
// is known, it allows one collection a second. It is never higher than memory
// allows, nor so high that its last part saves nothing.
func floorFor(e *evidence.Evidence, live float64) floor {
	f := floor{live: live, goal: max(heapMinimum, 2*live)}
	if e.Runtime.Goal.OK && e.Runtime.Goal.Value > live {
		f.goal = e.Runtime.Goal.Value
	}
	room := f.goal - live
	f.size = min(mostFloor, live+mostRoom*room)
	if e.Rate.OK {
		f.perSecond = evidence.Known{Value: e.Rate.Value / room, OK: true}
		f.size = min(f.size, live+e.Rate.Value/rarely)
	}
	if e.Runtime.Memory.OK {
		f.size = min(f.size, e.Runtime.Memory.Value*partOfMemory)
	}
	f.size = whole(f.size)
	// The limit is for a burst: the memory beside the heap, and the goal twice.
	f.limit = whole(max(0, e.Runtime.Sys.Value-e.Runtime.Objects.Value) + 2*f.size)
	return f
}

// whole rounds bytes up to whole MiB.
func whole(bytes float64) float64 { return math.Ceil(bytes/(1<<20)) * (1 << 20) }

// saves returns the share of collections that the floor avoids.
func (f floor) saves() float64 {
	return max(0, 1-(f.goal-f.live)/max(1, f.size-f.live))
}

// gogc returns the GOGC that sets the same goal as the floor.
func (f floor) gogc() int {
	percent := 100 * f.size / heapMinimum // the least heap grows with GOGC
	if f.live > 0 {
		percent = min(percent, 100*(f.size/f.live-1))
	}
	return int(math.Ceil(percent/10)) * 10
}

// example returns code and settings for the floor.
func (f floor) example() string {
	return fmt.Sprintf(`// in main, with github.com/heapwright/heapwright/gctune:
tuner, err := gctune.Start(gctune.Options{MinHeap: %.0f << 20})
if err != nil {
	log.Print(err)
}
defer tuner.Stop()
// or in the environment:
GOGC=%d GOMEMLIMIT=%s ./program`, f.size/(1<<20), f.gogc(), mebibytes(f.limit))
}

func mebibytes(bytes float64) string { return fmt.Sprintf("%.0fMiB", bytes/(1<<20)) }
