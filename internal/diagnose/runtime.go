package diagnose

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
)

// RuntimeOf returns the runtime figures of recorded processes. Figures over time are
// sums. The live heap and the goal are the largest of all processes. Other sizes come
// from the process that held most, because only sizes of one process add up.
func RuntimeOf(recordings []experiment.Recording) evidence.Runtime {
	var all evidence.Runtime
	most := 0.0
	for _, r := range recordings {
		add(&all.Seconds, r.Seconds)
		d := r.Dump
		if d == nil {
			continue
		}
		// The dump is of a shorter run. Collections are as frequent in the profiled one.
		if r.DumpTime > 0 {
			add(&all.Cycles, float64(d.Cycles(true))/r.DumpTime*r.Seconds)
		}
		add(&all.Recent.Cycles, float64(d.Cycles(true)))
		add(&all.Recent.Forced, float64(d.Cycles(true)-d.Cycles(false)))
		all.Recent.Shared = true
		// The heaps of several have no goal in common.
		if bytes, ok := d.Uints["/gc/heap/allocs:bytes"]; ok && len(recordings) == 1 {
			all.Recent.Allocated = evidence.Known{Value: float64(bytes), OK: true}
		}
		if len(d.Live) > 0 && len(d.Goal) > 0 {
			raise(&all.Live, float64(median(d.Live)))
			raise(&all.Goal, float64(median(d.Goal)))
		}
		u := func(name string) float64 { return float64(d.Uints["/memory/classes/"+name+":bytes"]) }
		// Sizes are taken from one process together, because they have to add up.
		if held := max(float64(d.PeakRSS), u("total")); held > most {
			most = held
			known := func(v float64) evidence.Known { return evidence.Known{Value: v, OK: u("total") > 0} }
			all.Objects = known(u("heap/objects"))
			all.InUse = known(u("heap/objects") + u("heap/unused"))
			all.Idle = known(u("heap/free") + u("heap/released"))
			all.Released = known(u("heap/released"))
			all.Stacks = known(u("heap/stacks") + u("os-stacks"))
			all.Sys = known(u("total"))
			all.Metadata = known(u("metadata/mcache/free") + u("metadata/mcache/inuse") + u("metadata/mspan/free") +
				u("metadata/mspan/inuse") + u("metadata/other") + u("other") + u("profiling/buckets"))
			all.RSS, all.PeakRSS = evidence.Known{Value: float64(d.PeakRSS), OK: d.PeakRSS > 0}, d.PeakRSS > 0
		}
		if gc, _ := d.CPUShares(); gc > 0 {
			raise(&all.CollectorCPU, gc)
		}
	}
	if !all.RSS.OK { // the system has no VmHWM, or the program no probe
		for _, r := range recordings {
			if u := r.Usage; u.PeakRSS > 0 && !u.AtMost() {
				raise(&all.RSS, float64(u.PeakRSS))
				all.PeakRSS = true
			}
		}
	}
	return all
}

func add(k *evidence.Known, v float64)   { k.Value, k.OK = k.Value+v, true }
func raise(k *evidence.Known, v float64) { k.Value, k.OK = max(k.Value, v), true }

func median(all []int64) int64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
