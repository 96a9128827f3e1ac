package lengths

import (
	"strings"
	"testing"
)

const building = `package grow

import "strings"

type node struct {
	words  []string
	Public []string
	handed []string
	parts  []string
	passed []string
	watched []string
	field  *string
}

func parse(text string) int {
	n := &node{}
	for w := range strings.FieldsSeq(text) {
		n.words = append(n.words, w) // grows: 44 elements
		n.Public = append(n.Public, w) // stays
		n.handed = append(n.handed, w) // stays
		n.parts = append(n.parts, strings.Fields(w)...) // stays
		n.passed = append(n.passed, w) // stays
		n.watched = append(n.watched, w) // stays
	}
	if n.words == nil {
		return -1
	}
	if len(n.words) > 3 {
		n.words = n.words[:3]
	}
	for i := range n.words {
		n.words[i] += "."
	}
	more := append(n.passed, "-")
	return len(n.words) + len(n.list()) + len(more)
}

func (n *node) list() []string { return n.handed }

type fork struct{ path []string }

// Both have the same array.
func (f *fork) child(w string) *fork {
	c := *f
	c.path = append(c.path, w) // stays
	return &c
}

type item struct{ words []string }

// The loop has copies.
func collect(all []item, w string) (last item) {
	for _, it := range all {
		for range 20 {
			it.words = append(it.words, w) // stays
		}
		last = it
	}
	return last
}

type list struct{ words []string }

// The method has a copy.
func (l list) with(w string) int {
	for range 20 {
		l.words = append(l.words, w) // stays
	}
	return len(l.words)
}

type scanner struct {
	current struct{ tokens []string }
	first   *string
	words   []string
}

func (s *scanner) scan(text string) {
	for w := range strings.FieldsSeq(text) {
		s.current.tokens = append(s.current.tokens, w) // grows: 44 elements
		s.words = append(s.words, w) // stays
	}
	s.first = &s.words[0]
}
`

const buildingBenchmark = `package grow

import (
	"strings"
	"testing"
)

func BenchmarkBuilding(b *testing.B) {
	text := strings.Repeat("ab cd ", 20)
	for range 50 * b.N {
		parse(text)
		f := &fork{}
		for w := range strings.FieldsSeq(text) {
			f = f.child(w)
		}
		new(list).with("ab")
		collect(make([]item, 30), "ab")
		new(scanner).scan(text)
	}
}
`

func TestFields(t *testing.T) {
	changes := measure(t, building, buildingBenchmark)
	want := "+\t\tif n.words == nil {\n+\t\t\tn.words = make([]string, 0, 44) // nine of ten need no more\n+\t\t}\n"
	if !strings.Contains(changes[0].Patch, want) {
		t.Errorf("no room: %s", changes[0].Patch)
	}
}
