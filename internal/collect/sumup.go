package collect

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// sumUp fills the document with the figures from the answers.
func (c *collector) sumUp() {
	c.doc.Memory = memory(c.heaps[0], c.heaps[1], c.allocated())
	c.doc.GC = c.gc()
	main := cmp.Or(c.cpu, c.heaps[1], c.heaps[0])
	last := cmp.Or(c.vars[1], c.vars[0], &answer{})
	if main == nil {
		main = &answer{}
	}
	c.doc.Build = buildOf(last.data, main.profile)
	if c.cpu != nil {
		var err error
		if c.doc.Ceiling, err = ceilingOf(c.cpu, c.heaps, c.options()); err != nil {
			c.warn("no ceiling: " + err.Error())
		}
		c.draw(cpu, c.cpu.profile, c.cpu.at)
	}
	if live := cmp.Or(c.heaps[1], c.heaps[0]); live != nil {
		c.draw(heap, live.profile, live.at)
	}
	slices.SortStableFunc(c.doc.Missing, func(a, b Missing) int { return cmp.Compare(a.Type, b.Type) })
	slices.SortStableFunc(c.doc.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), a.Taken.Compare(b.Taken))
	})
}

// allocated saves the allocations in the window and returns their totals; nil where
// there is no window.
func (c *collector) allocated() map[string]int64 {
	first, last := c.heaps[0], c.heaps[1]
	if first == nil || last == nil {
		return nil
	}
	p, err := delta(first.data, last.data, c.options())
	var b bytes.Buffer
	if err == nil {
		p.DurationNanos = last.at.Sub(first.at).Nanoseconds()
		err = p.Encode(&b)
	}
	if err != nil {
		c.miss(allocs, true, fmt.Errorf("%s: %w", heap.request(c.root, 0, false), err))
		return nil
	}
	sums := totals(p)
	file := File{Type: allocs.name, Taken: first.at, Bytes: b.Len(), Totals: sums}
	if c.save(allocs, file, func(w io.Writer) error { _, err := b.WriteTo(w); return err }) != nil {
		return nil
	}
	c.draw(allocs, p, first.at)
	return sums
}

// gc returns the figures of memstats and warns where they put the profiles in doubt.
func (c *collector) gc() *GC {
	var stats [2]*runtime.MemStats
	for i, v := range c.vars {
		if v == nil {
			continue
		}
		var err error
		if stats[i], err = memstats(v.data); err != nil {
			c.warn(err.Error())
		}
	}
	c.keepResident(c.resident, stats)
	last := cmp.Or(stats[1], stats[0])
	if last == nil {
		return nil
	}
	if stats[1] == nil {
		return gcOf(nil, last)
	}
	gc := gcOf(stats[0], last)
	if gc.Window != nil {
		gc.Window.CPUShare = collectorShare(c.vars[0].data, c.vars[1].data)
		gc.Window.Asked = min(gc.Window.Forced, uint32(c.stale.count))
	}
	// runtime.MemProfile: a profile may be up to two collections old.
	if w := gc.Window; w != nil && w.Cycles < 3 {
		c.warn(fmt.Sprintf("there were %d collections in the window, and a heap profile may be up to two "+
			"collections old: alloc_space is of another window then; take a longer -duration, or -gc", w.Cycles))
	}
	return gc
}

func (c *collector) warn(text string) {
	if !slices.Contains(c.doc.Warnings, text) {
		c.doc.Warnings = append(c.doc.Warnings, text)
	}
}
