package clean

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

type site struct {
	a     *arena.Arena
	names []string
	stop  func()
}

// start makes a function that frees the arena later: OnceFunc does not call it.
func (s *site) start(names []string) {
	s.a = arena.NewArena()
	for _, n := range names {
		s.names = arena.Append(s.a, s.names, arena.String(s.a, n))
	}
	s.stop = sync.OnceFunc(func() { s.a.Free() })
}

func (s *site) close() {
	s.names = nil
	s.stop()
}

// An error frees the arena early, and the deferred call does nothing more.
func early(in []string, strict bool) int {
	a := arena.NewArena()
	cleanup := sync.OnceFunc(a.Free)
	defer cleanup()
	out := arena.MakeSlice[int](a, 0, len(in))
	for i := range in {
		if strict && i > 3 {
			cleanup()
			return 0
		}
		out = append(out, i)
	}
	return len(out)
}
