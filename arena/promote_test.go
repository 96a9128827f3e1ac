package arena

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"
	"testing"
	"unsafe"
)

// TestPromoteLongList needs less stack than a recursion for each node would.
func TestPromoteLongList(t *testing.T) {
	const length = 100_000
	defer debug.SetMaxStack(debug.SetMaxStack(16 << 20))
	a := NewArena()
	var list *node
	for i := range length {
		n := New[node](a)
		n.value, n.left = i, list
		list = n
	}
	got := Promote(list)
	a.Free()
	for i := length - 1; i >= 0; i-- {
		if got == nil || got.value != i {
			t.Fatalf("node %d is %+v", i, got)
		}
		got = got.left
	}
	if got != nil {
		t.Errorf("the list goes on with %+v", got)
	}
}

// TestPromotedMapFindsItsKeys promotes maps whose keys lead into the arena, so
// that the copies have other keys, with other hashes.
func TestPromotedMapFindsItsKeys(t *testing.T) {
	type key struct {
		at   *node
		also any
	}
	type maps struct {
		nodes  *Map[*node, int]
		keys   *Map[key, int]
		anys   Map[any, int]
		values []Map[*node, *node]
	}
	const size = 100
	for name, in := range map[string]func(*Arena) *maps{
		"arena": New[maps],
		"heap":  func(*Arena) *maps { return new(maps) },
	} {
		t.Run(name, func(t *testing.T) {
			a := NewArena()
			m := in(a)
			m.nodes, m.keys = NewMap[*node, int](a, 0), NewMap[key, int](a, size)
			m.values = MakeSlice[Map[*node, *node]](a, 1, 1)
			for i := range size {
				n := New[node](a)
				n.value = i
				m.nodes.Set(n, i)
				m.keys.Set(key{n, n}, i)
				m.anys.Set(n, i)
				m.values[0].Set(n, n)
			}
			for n, i := range m.nodes.All() {
				if i%3 == 0 {
					m.nodes.Delete(n)
				}
			}
			got := Promote(m)
			a.Free()
			for n, i := range got.nodes.All() {
				if v, ok := got.nodes.Get(n); !ok || v != i || n.value != i {
					t.Fatalf("node %d is found: %t, as %d", i, ok, v)
				}
				if v, ok := got.keys.Get(key{n, n}); !ok || v != i {
					t.Fatalf("struct %d is found: %t, as %d", i, ok, v)
				}
				if v, ok := got.anys.Get(n); !ok || v != i {
					t.Fatalf("interface %d is found: %t, as %d", i, ok, v)
				}
				if v, ok := got.values[0].Get(n); !ok || v != n {
					t.Fatalf("node %d is found: %t, as %v", i, ok, v)
				}
			}
			for i := range size { // the free entries of the map, and more
				got.nodes.Set(&node{value: i}, i)
			}
			if n := got.nodes.Len(); n != size-(size+2)/3+size {
				t.Errorf("the map has %d keys", n)
			}
		})
	}
}

// withMap gives a struct that embeds it the methods of its Map, Promote's own
// among them.
type withMap struct{ Map[*node, int] }

func TestPromoteEmbeddedMap(t *testing.T) {
	type embedsPointer struct {
		*withMap
		name string
	}
	type embedsValue struct {
		withMap
		name string
	}
	type embedsDeep struct {
		embedsPointer
		also *embedsValue
	}
	a := NewArena()
	if got := Promote(&embedsPointer{name: String(a, "nil")}); got.withMap != nil || got.name != "nil" {
		t.Errorf("a nil pointer is promoted to %+v", got)
	}
	in := New[embedsDeep](a)
	in.withMap, in.also = New[withMap](a), New[embedsValue](a)
	in.also.name = String(a, "also")
	key := New[node](a)
	in.withMap.Set(key, 1)
	in.also.Set(key, 2)
	got := Promote(in)
	a.Free()
	if got.also.name != "also" {
		t.Errorf("the struct that embeds a Map is named %q", got.also.name)
	}
	for k, v := range got.withMap.All() {
		if at, ok := got.withMap.Get(k); !ok || v != 1 || at != v {
			t.Errorf("behind an embedded pointer the key is found: %t, as %d", ok, at)
		}
		if at, ok := got.also.Get(k); !ok || at != 2 {
			t.Errorf("in an embedded struct the key is found: %t, as %d", ok, at)
		}
	}
}

// TestPromoteAllocatesCopiesOnly compares with a copy made by hand: to know a type
// takes no memory once it is known.
func TestPromoteAllocatesCopiesOnly(t *testing.T) {
	if plainHeap || !reuse {
		t.Skip("this build copies less, or keeps no memory")
	}
	a := NewArena()
	defer a.Free()
	s := tracedIn(a, 1)
	want := testing.AllocsPerRun(100, func() { s.copied() })
	// The argument itself, and empty slices in the place of nothing.
	if got := testing.AllocsPerRun(100, func() { Promote(s) }); got > want+2 {
		t.Errorf("%v allocations, by hand %v", got, want)
	}
	if got, want := Promote(s), s.copied(); !reflect.DeepEqual(got, want) || got == s {
		t.Errorf("promoted to %+v, want %+v", got, want)
	}
}

// TestPromoteConcurrently promotes types that lead to each other and that no
// goroutine has promoted before.
func TestPromoteConcurrently(t *testing.T) {
	type inner struct {
		text string
		next any
	}
	type outer struct {
		first, second *inner
		all           []*inner
		of            map[string]*outer
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			a := NewArena()
			o, in := New[outer](a), New[inner](a)
			in.text, in.next = String(a, "text"), o
			o.first, o.second, o.all, o.of = in, in, Append(a, nil, in, in), map[string]*outer{String(a, "self"): o}
			got := Promote(o)
			a.Free()
			for _, in := range []*inner{got.second, got.all[0], got.all[1], got.of["self"].first} {
				if in != got.first || in.text != "text" || in.next != any(got) {
					t.Errorf("promoted to %+v with %+v", got, in)
				}
			}
		})
	}
	wg.Wait()
}

type tree struct {
	Name     string
	children []*tree
	parent   *tree
	attrs    map[string]any
	index    *Map[string, *tree]
	kept     *node
}

func TestPromote(t *testing.T) {
	a := NewArena()
	heap := &node{value: 1}
	root := New[tree](a)
	root.Name = String(a, "root")
	root.kept = heap
	root.index = NewMap[string, *tree](a, 0)
	for i := range 10 {
		c := New[tree](a)
		c.Name = String(a, fmt.Sprint("child", i))
		c.parent = root
		c.attrs = map[string]any{String(a, "up"): root, "name": c.Name, "list": []*tree{c}}
		root.children = Append(a, root.children, c)
		root.index.Set(c.Name, c)
	}
	got := Promote(root)
	holder := &tree{Name: String(a, "holder"), parent: root}
	if Promote(holder) != holder || holder.Name != "holder" || !plainHeap && (containsString(holder.Name) || holder.parent == root) {
		t.Error("a heap value is to be made independent in place")
	}
	for range 100 { // overwrite the tree's memory
		New[tree](a)
	}
	a.Free()
	b := NewArena()
	for range 1000 {
		*New[tree](b) = tree{Name: "overwritten"}
		String(b, "overwritten")
	}
	defer b.Free()
	if got.Name != "root" || len(got.children) != 10 || got.kept != heap {
		t.Fatalf("root: %q with %d children", got.Name, len(got.children))
	}
	for i, c := range got.children {
		name := fmt.Sprint("child", i)
		if c.Name != name || c.parent != got || c.attrs["up"] != got || c.attrs["name"] != name || c.attrs["list"].([]*tree)[0] != c {
			t.Errorf("child %d: %+v", i, c)
		}
		if at, _ := got.index.Get(name); at != c {
			t.Errorf("child %d is not in the index", i)
		}
	}
	got.index.Set("new", got) // the map grows on the heap
	if at, _ := got.index.Get("new"); at != got || got.index.Len() != 11 || contains(unsafe.Pointer(got)) {
		t.Error("the promoted map")
	}
	if Promote[*tree](nil) != nil || Promote(3) != 3 || Promote[any](nil) != nil {
		t.Error("plain values")
	}
}
