package arena_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/heapwright/heapwright/arena"
)

type user struct {
	name   string
	scores []int
}

type node struct {
	value int
	next  *node
}

// Values of one arena die together. A value that must live longer is copied.
func Example() {
	a := arena.NewArena()
	defer a.Free()
	u := arena.New[user](a)
	u.name = arena.Concat(a, "Ada", " ", "Lovelace")
	u.scores = arena.MakeSlice[int](a, 0, 8)
	u.scores = arena.Append(a, u.scores, 3, 4)

	b := arena.NewBuffer(a, 0)
	fmt.Fprintf(b, "%s has %d", u.name, len(u.scores))
	text := b.String()
	fmt.Println(text)

	kept := arena.Promote(u)
	a.Reset()
	fmt.Println(kept.name)
	// Output:
	// Ada Lovelace has 2
	// Ada Lovelace
}

func split(a *arena.Arena, line string) (words []string) {
	for w := range strings.FieldsSeq(line) {
		words = arena.Append(a, words, arena.String(a, w))
	}
	return words
}

// Each round uses the memory of the one before.
func ExampleArena_Reset() {
	a := arena.NewArena()
	defer a.Free()
	lines, total := []string{"one two", "three"}, 0
	for _, line := range lines {
		words := split(a, line)
		total += len(words)
		a.Reset()
	}
	fmt.Println(total)
	// Output: 3
}

// A slab saves the lookup of the type in a hot loop.
func ExampleNewSlab() {
	a := arena.NewArena()
	defer a.Free()
	var list *node
	nodes := arena.NewSlab[node](a)
	for i := range 1000 {
		n := nodes.New()
		n.value, n.next = i, list
		list = n
	}
	fmt.Println(list.value, list.next.value, a.Stats().Objects)
	// Output: 999 998 1000
}

// Promote copies all that a value refers to onto the heap.
func ExamplePromote() {
	a := arena.NewArena()
	list := arena.New[node](a)
	list.value = 1
	list.next = arena.New[node](a)
	list.next.value = 2
	kept := arena.Promote(list)
	a.Free()
	fmt.Println(kept.value, kept.next.value)
	// Output: 1 2
}

// A checkpoint frees scratch memory within a longer life.
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

// A parser that tries a reading frees its values when the reading fails.
func ExampleArena_ResetTo() {
	a := arena.NewArena()
	defer a.Free()
	try := func(a *arena.Arena) bool {
		arena.New[user](a)
		return false
	}
	before := a.Mark()
	if !try(a) {
		a.ResetTo(before)
	}
	fmt.Println(a.Stats().Objects)
	// Output: 0
}

func ExampleMap() {
	a := arena.NewArena()
	defer a.Free()
	m := arena.NewMap[string, int](a, 0)
	m.Set("apples", 3)
	if n, ok := m.Get("apples"); ok {
		fmt.Println(n, m.Len())
	}
	// Output: 3 1
}

var pool arena.Pool

func serve(ctx context.Context, w io.Writer, query string) error {
	a := pool.Get()
	defer a.Free()
	return answer(arena.NewContext(ctx, a), w, query)
}

func answer(ctx context.Context, w io.Writer, query string) error {
	a := arena.FromContext(ctx) // nil, the heap, if the caller has none
	page := arena.NewBuffer(a, 0)
	fmt.Fprintf(page, "You asked for %q.", query)
	_, err := w.Write(page.Bytes())
	return err
}

// A server takes an arena from its pool for each request.
func ExamplePool() {
	fmt.Println(serve(context.Background(), os.Stdout, "trees"))
	fmt.Println(answer(context.Background(), os.Stdout, "heaps"))
	// Output:
	// You asked for "trees".<nil>
	// You asked for "heaps".<nil>
}
