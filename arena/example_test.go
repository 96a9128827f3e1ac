package arena_test

import (
	"fmt"

	"github.com/heapwright/heapwright/arena"
)

type word struct {
	text string
	next *word
}

// A loop that needs the memory of one round only.
func Example() {
	a := arena.NewArena()
	defer a.Free()
	words := arena.SlabOf[word](a)
	for _, text := range []string{"one", "two"} {
		var list *word
		for range 1000 {
			w := words.New()
			w.text, w.next = arena.Concat(a, text, "!"), list
			list = w
		}
		fmt.Println(list.text, a.Stats().Objects)
		a.Reset()
	}
	// Output:
	// one! 1000
	// two! 1000
}

// What must outlive the arena is copied to the heap.
func ExamplePromote() {
	a := arena.NewArena()
	list := arena.New[word](a)
	list.text = arena.String(a, "kept")
	list.next = arena.New[word](a)
	list.next.text = arena.String(a, "too")
	kept := arena.Promote(list)
	a.Free()
	fmt.Println(kept.text, kept.next.text)
	// Output: kept too
}

// Scratch memory within a longer life.
func ExampleArena_Mark() {
	a := arena.NewArena()
	defer a.Free()
	result := arena.MakeSlice[int](a, 1, 1)
	for i := range 3 {
		scratch := a.Mark()
		squares := arena.MakeSlice[int](a, 100, 100)
		for j := range squares {
			squares[j] = j * j
		}
		result[0] += squares[i]
		a.ResetTo(scratch)
	}
	fmt.Println(result[0], a.Stats().Objects)
	// Output: 5 1
}

func ExampleMap() {
	a := arena.NewArena()
	defer a.Free()
	m := arena.NewMap[string, int](a, 0)
	for _, w := range []string{"a", "b", "a"} {
		n, _ := m.Get(w)
		m.Set(w, n+1)
	}
	n, ok := m.Get("a")
	fmt.Println(m.Len(), n, ok)
	// Output: 2 2 true
}
