package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
)

// series are profiles that can be used together.
type series struct {
	cpu                      *profile.Profile   // all in one; nil: none
	heaps, goroutines, leaks []*profile.Profile // sorted by time, heaps since the last restart
	allocs                   []*profile.Profile
	notes                    []string
}

// order sorts profiles by time and merges the CPU profiles. It refuses profiles that
// cannot be compared.
func (s *Profiles) order() (series, error) {
	o := series{heaps: byTime(s.Heaps), goroutines: byTime(s.Goroutines), leaks: byTime(s.Leaks), allocs: s.Allocs}
	if len(s.CPU)+len(o.heaps)+len(o.allocs)+len(o.goroutines)+len(o.leaks) == 0 {
		return o, errors.New("no heap, allocs, CPU or goroutine profile among the sources; give at least one")
	}
	all := slices.Concat(o.heaps, o.allocs)
	for _, p := range all {
		if p.Period != all[0].Period {
			return o, fmt.Errorf(
				"%s: sampled every %d bytes, %s every %d: their figures cannot be compared; diagnose them apart",
				p.Name, p.Period, all[0].Name, all[0].Period)
		}
	}
	for _, p := range s.CPU { // their numbers of samples are added up
		if p.Period != s.CPU[0].Period {
			return o, fmt.Errorf("%s: sampled every %d ns of CPU time, %s every %d: their samples do not weigh the same; diagnose them apart",
				p.Name, p.Period, s.CPU[0].Name, s.CPU[0].Period)
		}
	}
	o.sinceRestart()
	return o, o.merge(s.CPU, s.Dict)
}

// byTime sorts profiles by the time that they were taken, if all say so.
func byTime(all []*profile.Profile) []*profile.Profile {
	all = slices.Clone(all)
	if !slices.ContainsFunc(all, func(p *profile.Profile) bool { return p.TimeNanos == 0 }) {
		slices.SortStableFunc(all, func(a, b *profile.Profile) int { return cmp.Compare(a.TimeNanos, b.TimeNanos) })
	}
	return all
}

// sinceRestart drops the heap profiles taken before the last restart: live memory
// and allocations of an earlier process say nothing about a leak or a rate.
func (o *series) sinceRestart() {
	for i := len(o.heaps) - 1; i > 0; i-- {
		column, _ := o.heaps[i].Column("alloc_space")
		before, _ := o.heaps[i-1].Column("alloc_space")
		if o.heaps[i].Total(column) < o.heaps[i-1].Total(before) {
			o.notes = append(o.notes,
				fmt.Sprintf("the process was restarted between %s and %s: growth and rates are those after it",
					o.heaps[i-1].Name, o.heaps[i].Name))
			o.heaps = o.heaps[i:]
			return
		}
	}
}

func (o *series) merge(cpu []*profile.Profile, dict *profile.Dict) error {
	if len(cpu) == 0 {
		return nil
	}
	if len(cpu) == 1 {
		o.cpu = cpu[0]
		return nil
	}
	m := profile.NewMerger(profile.Options{Dict: dict})
	for _, p := range cpu {
		if err := m.Add(p); err != nil {
			return err
		}
	}
	var err error
	o.cpu, err = m.Profile()
	return err
}

// seconds returns the time between two profiles, 0 where one does not say.
func seconds(first, last *profile.Profile) float64 {
	if first.TimeNanos == 0 || last.TimeNanos == 0 {
		return 0
	}
	return float64(last.TimeNanos-first.TimeNanos) / 1e9
}
