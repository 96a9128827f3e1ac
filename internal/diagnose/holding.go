package diagnose

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
)

// Part is a part of the process's memory.
type Part struct {
	Name  string  `json:"name"`
	Bytes float64 `json:"bytes"`
	Note  string  `json:"note,omitempty"`
}

// A goal is twice the live heap with GOGC=100. A heap profile may be up to two
// collections old (runtime.MemProfile): of a program that collects rarely, of its start.
const (
	farAbove  = 8
	leastGoal = 32 << 20 // bytes; the goal of a small heap also counts stacks and globals
)

// partsOf divides the process's memory into the live heap and the rest. If RSS is known,
// the parts add up to it, except for pages that were never touched. unknown lists the
// missing figures.
func partsOf(r *evidence.Runtime, live evidence.Known) (parts []Part, unknown []string) {
	add := func(name string, k evidence.Known, note string) {
		if k.OK && k.Value >= 0 {
			parts = append(parts, Part{name, k.Value, note})
		}
	}
	// The live heap comes from the heap profile. All other parts come from the runtime.
	if r.Objects.OK && live.Value > r.Objects.Value {
		live.Value = r.Objects.Value // a profile's estimate can exceed the real size
	}
	add("live heap", live, "what the last collection found")
	if goal := r.Goal; live.OK && goal.OK && goal.Value > leastGoal && goal.Value > farAbove*live.Value {
		unknown = append(unknown,
			fmt.Sprintf("whether the live heap is so small: the heap goal of %s is far above it. "+
				"Unless GOGC or a heap floor is why, the heap profile is of an earlier collection: take one with -gc", format.Bytes(goal.Value)))
	}
	if !live.OK {
		unknown = append(unknown, "the live heap: give a heap profile")
		add("live heap and garbage", r.Objects, "")
	}
	// The runtime divides the memory that it has from the system.
	if !r.Sys.OK {
		unknown = append(unknown, "memory beyond the live heap: give /debug/vars, or let collect fetch it")
		return parts, unknown
	}
	if live.OK {
		add("garbage", minus(r.Objects, live), "waits for the next collection")
	}
	add("free space in used spans", minus(r.InUse, r.Objects), "between objects of other sizes")
	add("idle spans", minus(r.Idle, r.Released), "kept for the next allocations, not given back")
	add("stacks", r.Stacks, "")
	add("runtime", r.Metadata, "spans, bit maps, profiling")
	// Only the system knows the memory that did not come from the runtime.
	if !r.RSS.OK {
		unknown = append(unknown, "the resident memory (RSS) and memory outside Go, of C libraries or mapped files: "+
			"let the service publish process_resident_memory_bytes at /metrics, or ask the system")
		return parts, unknown
	}
	outside := evidence.Known{Value: r.RSS.Value - (r.Sys.Value - r.Released.Value), OK: true}
	if r.PeakRSS {
		add("outside Go or given back", outside, "the binary, C libraries, mapped files; memory that was resident at the peak and is not now")
	} else {
		add("outside Go", outside, "the binary, C libraries, mapped files")
	}
	add("never touched", evidence.Known{Value: -outside.Value, OK: outside.Value < 0}, "got from the system and not resident: to be taken off")
	return parts, unknown
}

func minus(a, b evidence.Known) evidence.Known {
	return evidence.Known{Value: a.Value - b.Value, OK: a.OK && b.OK}
}
