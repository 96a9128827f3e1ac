package a

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

func onceThenUse(in []string, strict bool) int {
	a := arena.NewArena()
	cleanup := sync.OnceFunc(func() { a.Free() })
	defer cleanup()
	out := arena.MakeSlice[int](a, 0, len(in))
	for i := range in {
		if strict && i > 3 {
			cleanup()
		}
		out = append(out, i) // want `out is used after a.Free`
	}
	return len(out)
}
