package clean

import (
	"sync/atomic"

	"github.com/heapwright/heapwright/arena"
)

type shared struct {
	holders atomic.Int32
	a       *arena.Arena
	rows    []string
}

func (s *shared) retain() { s.holders.Add(1) }

func (s *shared) release() {
	if s.holders.Add(-1) == 0 {
		s.a.Free()
	}
}

// The last of two holders frees the arena.
func twoHolders(lines []string) int {
	s := &shared{a: arena.NewArena()}
	s.holders.Store(1)
	s.retain()
	s.rows = arena.Append(s.a, s.rows, lines...)
	s.release()
	n := len(s.rows[0])
	s.release()
	return n
}

// How many holders there are depends on the lines.
func manyHolders(lines []string, use func(*shared)) {
	s := &shared{a: arena.NewArena()}
	s.holders.Store(1)
	for range lines {
		s.retain()
		use(s)
	}
	s.release()
}
