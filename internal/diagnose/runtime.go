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
		all.CPUSeconds.plus(r.Usage.CPU().Seconds())
		if !r.Usage.AtMost() && r.Usage.PeakRSS > 0 {
			all.RSS.most(float64(r.Usage.PeakRSS))
		}
		d := r.Dump
		if d == nil {
			continue
		}
		all.Go = d.GoVersion
		all.Cycles.plus(float64(d.Cycles(true)))
		if len(d.Live) > 0 && len(d.Goal) > 0 {
			all.Live.most(float64(median(d.Live)))
			all.Goal.most(float64(median(d.Goal)))
		}
		for name, known := range map[string]*Known{
			"/memory/classes/total:bytes":         &all.Sys,
			"/memory/classes/heap/stacks:bytes":   &all.Stacks,
			"/memory/classes/heap/free:bytes":     &all.Idle,
			"/memory/classes/heap/released:bytes": &all.Released,
			"/memory/classes/heap/objects:bytes":  &all.InUse,
			"/gc/gomemlimit:bytes":                &all.Limit,
			"/gc/gogc:percent":                    &all.GOGC,
			"/sched/gomaxprocs:threads":           &all.Procs,
			"/gc/scan/globals:bytes":              &all.Globals,
		} {
			if v, ok := d.Uints[name]; ok {
				known.most(float64(v))
			}
		}
		if v, ok := d.Uints["/gc/heap/allocs:bytes"]; ok {
			all.Allocated.plus(float64(v))
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
