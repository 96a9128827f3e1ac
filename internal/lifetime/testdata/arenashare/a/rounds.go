package a

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

type desk struct {
	mem   *arena.Arena
	slots [8]*int
}

// The method is right: its callers decide how many goroutines use the arena of the desk.
func (d *desk) plan(i int) {
	d.slots[i] = arena.New[int](d.mem)
}

func plansAll() int {
	d := &desk{mem: arena.NewArena()}
	defer d.mem.Free()
	var group sync.WaitGroup
	for i := range d.slots {
		group.Go(func() { // want `this goroutine shares the arena d.mem with the use in line 25`
			d.plan(i) // want `each round of the loop starts a goroutine that uses the arena d.mem`
		})
	}
	group.Wait()
	return *d.slots[0]
}
