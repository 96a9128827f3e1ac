package clean

import (
	"strings"

	"github.com/heapwright/heapwright/arena"
)

type sheet struct {
	a     *arena.Arena
	words []string
}

func (s *sheet) read(text string) *sheet {
	s.words = nil
	s.a.Reset()
	for w := range strings.FieldsSeq(text) {
		s.words = arena.Append(s.a, s.words, w)
	}
	return s
}

// The goroutine reads the sheet that is not counted. The function is followed with few states.
func turns(texts []string) (n int) {
	x, y := &sheet{a: arena.NewArena()}, &sheet{a: arena.NewArena()}
	defer x.a.Free()
	defer y.a.Free()
	next := make(chan *sheet, 1)
	next <- x.read(texts[0])
	for i := range texts {
		s := <-next
		if i+1 < len(texts) {
			other := x
			if s == x {
				other = y
			}
			go func() { next <- other.read(texts[i+1]) }()
		}
		seen := arena.NewMap[string, bool](s.a, 0)
		for _, w := range s.words {
			seen.Set(w, true)
		}
		n += seen.Len()
	}
	return n
}
