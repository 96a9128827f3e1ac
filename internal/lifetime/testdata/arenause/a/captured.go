package a

import (
	"strings"

	"github.com/heapwright/heapwright/arena"
)

type entry struct{ text string }

type lexicon struct {
	mem     *arena.Arena
	entries *arena.Map[string, *entry]
}

// The body of the loop is a function that captures the arena.
func readLexicon(text string) *lexicon {
	mem := arena.NewArena()
	l := &lexicon{mem: mem, entries: arena.NewMap[string, *entry](mem, 8)}
	for word := range strings.SplitSeq(text, ",") {
		e := arena.New[entry](mem)
		e.text = arena.String(mem, word)
		l.entries.Set(e.text, e)
	}
	return l
}

type shelf struct{ current *lexicon }

func (s *shelf) reload(text string) {
	s.current.mem.Free()
	s.current = readLexicon(text)
}

func (s *shelf) lookThenReload(word, text string) string {
	e, ok := s.current.entries.Get(word)
	if !ok {
		return ""
	}
	s.reload(text)
	return e.text // want `e is used after s.current.mem.Free \(line \d+\), which reload calls, which ended its memory`
}

func (s *shelf) reloadThenLook(word, text string) string {
	s.reload(text)
	e, ok := s.current.entries.Get(word)
	if !ok {
		return ""
	}
	return e.text
}
