package a

import "github.com/heapwright/heapwright/arena"

type wave struct{ samples []float64 }

func halved(mem *arena.Arena, from *wave) *wave {
	w := arena.New[wave](mem)
	w.samples = arena.MakeSlice[float64](mem, len(from.samples), len(from.samples))
	for i, x := range from.samples {
		w.samples[i] = x / 2
	}
	return w
}

// All passes write into the arena that holds their input.
func halvedTimes(from *wave, passes int, large bool) float64 {
	small, big := arena.NewArena(), arena.NewArena()
	defer small.Free()
	defer big.Free()
	target := small
	if large {
		target = big
	}
	current := from
	for range passes {
		target.Reset()
		current = halved(target, current) // want `current is used after \w+.Reset \(line \d+\), which ended its memory`
	}
	return current.samples[0]
}
