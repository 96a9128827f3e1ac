package collect

import (
	"errors"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// Memory holds the totals of heap profiles, as estimated from their samples. A
// figure that no profile contains is missing.
type Memory struct {
	WindowSeconds float64 `json:"window_seconds,omitempty"` // between the two heap profiles
	AllocSpace    *int64  `json:"alloc_space,omitempty"`    // bytes allocated in the window
	AllocObjects  *int64  `json:"alloc_objects,omitempty"`
	InuseSpace    *int64  `json:"inuse_space,omitempty"` // live bytes at its end
	InuseObjects  *int64  `json:"inuse_objects,omitempty"`
}

// totals returns the sum of every column by its sample type.
func totals(p *profile.Profile) map[string]int64 {
	all := make(map[string]int64, len(p.SampleTypes))
	for i, t := range p.SampleTypes {
		all[t.Type] = p.Total(i)
	}
	return all
}

var errOtherProcess = errors.New(
	"less was allocated at the end of the window than at its start: the service was restarted, " +
		"or several answer under this name; collect from one process")

// delta returns the allocations between two heap profiles of one process, as a
// profile of its own. Its inuse columns are the growth of the live heap.
func delta(first, last []byte, opts profile.Options) (*profile.Profile, error) {
	opts.Rebase = true
	d := profile.NewDecoder(opts)
	a, err := d.DecodeBytes("the first heap profile", first)
	if err != nil {
		return nil, err
	}
	d.Hold(a)
	b, err := d.DecodeBytes("the last heap profile", last)
	if err != nil {
		return nil, err
	}
	if a.Period != b.Period {
		return nil, fmt.Errorf("one byte in %d is sampled at the end of the window, one in %d was at its start: they cannot be compared; "+
			"did the service change runtime.MemProfileRate, or was it restarted?", b.Period, a.Period)
	}
	p, err := profile.Diff(b, a)
	if err != nil {
		return nil, err
	}
	for _, column := range []string{"alloc_space", "alloc_objects"} {
		i, ok := p.Column(column)
		if !ok {
			continue
		}
		for _, v := range p.Values[i] {
			if v < 0 { // allocations only ever add up
				return nil, errOtherProcess
			}
		}
	}
	p.DefaultSampleType = "alloc_space"
	p.TimeNanos = a.TimeNanos
	return p, nil
}

func memory(first, last *answer, window map[string]int64) (m Memory) {
	of := func(sums map[string]int64, column string) *int64 {
		if v, ok := sums[column]; ok {
			return &v
		}
		return nil
	}
	if window != nil {
		m.WindowSeconds = last.at.Sub(first.at).Round(time.Millisecond).Seconds()
		m.AllocSpace, m.AllocObjects = of(window, "alloc_space"), of(window, "alloc_objects")
	}
	if last == nil {
		last = first // interrupted: the live heap at the start is better than none
	}
	if last != nil {
		live := totals(last.profile)
		m.InuseSpace, m.InuseObjects = of(live, "inuse_space"), of(live, "inuse_objects")
	}
	return m
}
