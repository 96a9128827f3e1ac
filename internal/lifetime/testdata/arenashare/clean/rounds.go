package clean

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

type desk struct {
	mem   *arena.Arena
	slots [8]*int
}

func (d *desk) plan(i int) { d.slots[i] = arena.New[int](d.mem) }

// Each goroutine has a desk with an arena of its own.
func plansApart() int {
	var group sync.WaitGroup
	for i := range sums {
		group.Go(func() {
			d := &desk{mem: arena.NewArena()}
			defer d.mem.Free()
			d.plan(i)
			sums[i] = *d.slots[i]
		})
	}
	group.Wait()
	return sums[0]
}

var sums [8]int
