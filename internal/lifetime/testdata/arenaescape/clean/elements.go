package clean

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/arena"
)

// A loop copies each list to the heap.
func index(docs []string) map[string][]int {
	a := arena.NewArena()
	defer a.Free()
	lists := map[string][]int{}
	for i, d := range docs {
		for w := range strings.FieldsSeq(d) {
			lists[w] = arena.Append(a, lists[w], i)
		}
	}
	for w, l := range lists {
		lists[w] = slices.Clone(l)
	}
	return lists
}

type tagged struct{ tag string }

// A second loop over the same list takes the text away again.
func tagAll(a *arena.Pool, all []*tagged, show func([]*tagged)) {
	room := a.Get()
	defer room.Free()
	for _, x := range all {
		x.tag = arena.Concat(room, "v", x.tag)
	}
	show(all)
	for _, x := range all {
		x.tag = ""
	}
}

// Two lists of arenas end together, and each element is used before.
func mergeAll(lists [][]string, use func([]string)) {
	rooms := make([]*arena.Arena, 0, len(lists))
	for _, l := range lists {
		a := arena.NewArena()
		rooms = append(rooms, a)
		use(arena.Append[string](a, nil, l...))
	}
	for _, a := range rooms {
		for _, b := range rooms {
			if a != b {
				use(arena.Append[string](b, nil, "x"))
			}
		}
	}
	for _, a := range rooms {
		a.Free()
	}
}
