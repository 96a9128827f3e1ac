package arena

import (
	"runtime/debug"
	"testing"
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
