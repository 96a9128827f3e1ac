package diagnose

import (
	"slices"

	"github.com/heapwright/heapwright/internal/experiment"
)

// RuntimeOf returns what recordings say of their processes: sums over time, and
// of sizes the largest.
func RuntimeOf(recordings []experiment.Recording) Runtime {
	var all Runtime
	for _, r := range recordings {
		all.Seconds.plus(r.Seconds)
		d := r.Dump
		if d == nil {
			continue
		}
		if d.PeakRSS > 0 {
			all.RSS.most(float64(d.PeakRSS))
			all.PeakRSS = true
		}
		if r.DumpTime > 0 {
			all.Cycles.plus(float64(d.Cycles(true)) / r.DumpTime * r.Seconds)
		}
		if len(d.Live) > 0 && len(d.Goal) > 0 {
			all.Live.most(float64(median(d.Live)))
			all.Goal.most(float64(median(d.Goal)))
		}
		u := func(name string) float64 { return float64(d.Uints["/memory/classes/"+name+":bytes"]) }
		if u("total") > 0 {
			all.Objects.most(u("heap/objects"))
			all.InUse.most(u("heap/objects") + u("heap/unused"))
			all.Idle.most(u("heap/free") + u("heap/released"))
			all.Released.most(u("heap/released"))
			all.Stacks.most(u("heap/stacks") + u("os-stacks"))
			all.Sys.most(u("total"))
			all.Metadata.most(u("metadata/mcache/free") + u("metadata/mcache/inuse") + u("metadata/mspan/free") +
				u("metadata/mspan/inuse") + u("metadata/other") + u("other") + u("profiling/buckets"))
		}
		if gc, _ := d.CPUShares(); gc > 0 {
			all.CollectorCPU.most(gc)
		}
	}
	return all
}

func (k *Known) plus(v float64) { k.Value, k.OK = k.Value+v, true }
func (k *Known) most(v float64) { k.Value, k.OK = max(k.Value, v), true }

func median(all []int64) int64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
