package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// The Go blocks of docs/arena.md stand in this file, where they compile and
// run; TestDocs compares them.

type user struct {
	name   string
	scores []int
}

type node struct {
	value int
	next  *node
}

func Example_makeUseFree() {
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

func Example_rounds() {
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

func Example_slab() {
	a := arena.NewArena()
	defer a.Free()
	var list *node
	nodes := arena.SlabOf[node](a)
	for i := range 1000 {
		n := nodes.New()
		n.value, n.next = i, list
		list = n
	}
	fmt.Println(list.value, list.next.value)
	// Output: 999 998
}

func Example_map() {
	a := arena.NewArena()
	defer a.Free()
	m := arena.NewMap[string, int](a, 0)
	m.Set("apples", 3)
	if n, ok := m.Get("apples"); ok {
		fmt.Println(n, m.Len())
	}
	// Output: 3 1
}

func Example_checkpoint() {
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

func Example_server() {
	fmt.Println(serve(context.Background(), os.Stdout, "trees"))
	fmt.Println(answer(context.Background(), os.Stdout, "heaps"))
	// Output:
	// You asked for "trees".<nil>
	// You asked for "heaps".<nil>
}

// migrated holds the calls of docs/arena-migration.md; TestMigration compares.
func migrated[T any](v *T, t reflect.Type, len, cap int) *T {
	a := arena.NewArena()
	defer a.Free()
	*arena.New[T](a) = *v
	arena.MakeSlice[T](a, len, cap)[0] = *v
	v, _ = arena.ReflectNew(a, t).Interface().(*T)
	a.Reset()
	return arena.Clone(v)
}

func TestMigration(t *testing.T) {
	if migrated(new(node), reflect.TypeFor[node](), 1, 2) == nil {
		t.Error("ReflectNew returned no *node")
	}
	doc, err := os.ReadFile("../../docs/arena-migration.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("docs_test.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile("`((?:arena|a)\\.[A-Z][^`]*\\))`").FindAllStringSubmatch(string(doc), -1)
	if len(calls) < 8 {
		t.Errorf("found %d calls in docs/arena-migration.md; is the pattern right?", len(calls))
	}
	for _, c := range calls {
		if !strings.Contains(string(source), c[1]) {
			t.Errorf("the call %s of docs/arena-migration.md does not stand in docs_test.go", c[1])
		}
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	arena.WriteLeaks(os.Stderr)
	os.Exit(code)
}

func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../../docs/arena.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("docs_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	if len(blocks) < 9 {
		t.Errorf("found %d blocks of Go in docs/arena.md; is the pattern right?", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(unindented(string(source)), unindented(b[1])) {
			t.Errorf("this block of docs/arena.md does not stand in docs_test.go:\n%s", b[1])
		}
	}
}

// unindented returns text without the indentation of its lines.
func unindented(text string) string {
	return regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(text, "")
}
