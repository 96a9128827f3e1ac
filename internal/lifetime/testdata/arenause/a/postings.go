package a

import (
	"strings"

	"github.com/heapwright/heapwright/arena"
)

type posting struct {
	doc  int
	next *posting
}

type postings struct {
	mem  *arena.Arena
	slab *arena.Slab[posting]
	head map[string]*posting
}

func newPostings() *postings {
	mem := arena.NewArena()
	return &postings{mem, arena.NewSlab[posting](mem), map[string]*posting{}}
}

func (b *postings) add(doc int, text string) {
	for word := range strings.FieldsSeq(text) {
		p := b.slab.New()
		p.doc, p.next = doc, b.head[word]
		b.head[word] = p
	}
}

func (b *postings) flush(write func(word string, doc int)) {
	for word, p := range b.head {
		for ; p != nil; p = p.next {
			write(word, p.doc)
		}
	}
	clear(b.head)
	b.mem.Free()
}

// Its lists have so many forms that the function is followed with fewer states.
func postAll(docs []string, write func(string, int)) {
	b := newPostings()
	for i, d := range docs {
		if len(d) > 1000 {
			b.flush(write) // want `the arena of b is used after its Free`
		}
		b.add(i, d) // want `b is used after Free of the arena of b`
	}
	b.flush(write)
}

func inOneRound(docs []string) {
	a := arena.NewArena()
	for i, d := range docs {
		if i == len(docs)-1 {
			a.Free()
			arena.String(a, d) // want `the arena a is used after its Free`
		}
	}
}

func inOuterRound(all [][]string) {
	a := arena.NewArena()
	for _, docs := range all {
		arena.String(a, "head") // want `the arena a is used after its Free`
		for i := range docs {
			if i == len(docs)-1 {
				a.Free()
			}
		}
	}
}
