package a

import (
	"errors"
	"sync"

	"github.com/heapwright/heapwright/arena"
)

func leavesEarly(names []string, check func() error) error {
	a := arena.NewArena()
	defer a.Free() // want `the arena a is used here while the goroutine`
	var group sync.WaitGroup
	group.Go(func() {
		_ = arena.MakeSlice[string](a, len(names), len(names))
	})
	if check() != nil {
		return errors.New("no") // want `this returns while a goroutine may use the arena a, which the deferred Free ends`
	}
	group.Wait()
	return nil
}
