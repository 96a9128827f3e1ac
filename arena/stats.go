package arena

import (
	"cmp"
	"reflect"
	"slices"
)

// Stats describes the contents of an arena. All sizes are in bytes.
type Stats struct {
	Bytes    int64 // handed out and alive
	Objects  int64 // values handed out and alive; each value of a slice counts, but see TypeStats
	Peak     int64 // the highest Bytes that Reset, ResetTo or Stats has seen
	Retained int64 // all memory of the arena, used or not

	// Types has an entry for each type, the largest Bytes first.
	Types []TypeStats
}

// TypeStats is the part of one type in [Stats]. The entry of type byte includes
// strings, copies of bytes, and slices that [Append] grew whose values are made of
// numbers, in Bytes but not in Objects: counting copies of 256 B would add 6% to
// their cost.
type TypeStats struct {
	Type     reflect.Type
	Bytes    int64
	Objects  int64
	Retained int64
}

// Stats returns the statistics of a, zero for a nil *Arena. It allocates on the
// heap. A value is counted only if counting it costs nothing.
func (a *Arena) Stats() Stats {
	if a == nil {
		return Stats{}
	}
	return a.live("Stats").stats()
}

func (c *core) stats() Stats {
	c.notePeak(c.used())
	s := Stats{Peak: c.peak, Retained: c.held}
	types := map[reflect.Type]int{}
	for _, slab := range c.slabs {
		t := TypeStats{Type: slab.elem.typ, Bytes: int64(slab.used()), Retained: slab.held}
		if size := int64(slab.elem.size); !slab.raw && size > 0 {
			t.Objects = t.Bytes / size
		}
		if t.Bytes == 0 && t.Retained == 0 {
			continue
		}
		s.Bytes += t.Bytes
		s.Objects += t.Objects
		if i, ok := types[t.Type]; ok {
			s.Types[i].Bytes += t.Bytes
			s.Types[i].Objects += t.Objects
			s.Types[i].Retained += t.Retained
			continue
		}
		types[t.Type] = len(s.Types)
		s.Types = append(s.Types, t)
	}
	slices.SortStableFunc(s.Types, func(x, y TypeStats) int { return cmp.Compare(y.Bytes, x.Bytes) })
	return s
}
