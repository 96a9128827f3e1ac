package clean

import "github.com/heapwright/heapwright/arena"

type frame struct{ samples []float64 }

func smooth(mem *arena.Arena, from *frame) *frame {
	f := arena.New[frame](mem)
	f.samples = arena.MakeSlice[float64](mem, len(from.samples), len(from.samples))
	for i, x := range from.samples {
		f.samples[i] = x / 2
	}
	return f
}

// Each pass writes into the arena that does not hold its input.
func smoothTimes(from *frame, passes int) float64 {
	even, odd := arena.NewArena(), arena.NewArena()
	defer even.Free()
	defer odd.Free()
	current := from
	for pass := 0; pass < passes; pass++ {
		var target *arena.Arena
		if pass&1 == 0 {
			target = even
		} else {
			target = odd
		}
		target.Reset()
		current = smooth(target, current)
	}
	return current.samples[0]
}
