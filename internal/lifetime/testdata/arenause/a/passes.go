package a

import "github.com/heapwright/heapwright/arena"

// Nobody converts a type to the interface here, so all that implement it are followed.
type pass interface {
	over(mem *arena.Arena, from *wave) (*wave, error)
}

type gain struct{ factor float64 }

func (g gain) over(mem *arena.Arena, from *wave) (*wave, error) {
	w := halved(mem, from)
	for i := range w.samples {
		w.samples[i] *= g.factor
	}
	return w, nil
}

type delay struct{ by int }

func (d *delay) over(mem *arena.Arena, from *wave) (*wave, error) {
	w := halved(mem, from)
	copy(w.samples[d.by:], from.samples)
	return w, nil
}

func runPasses(from *wave, passes []pass) (n int, err error) {
	mem := arena.NewArena()
	defer mem.Free()
	now := from
	for _, p := range passes {
		mem.Reset()
		if now, err = p.over(mem, now); err != nil { // want `now is used after mem.Reset \(line \d+\), which ended its memory`
			return 0, err
		}
	}
	return len(now.samples), nil
}

func runPassesApart(from *wave, passes []pass) (n int, err error) {
	mem := arena.NewArena()
	defer mem.Free()
	for _, p := range passes {
		mem.Reset()
		now, err := p.over(mem, from)
		if err != nil {
			return 0, err
		}
		n = max(n, len(now.samples))
	}
	return n, nil
}
