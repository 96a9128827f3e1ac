package arena

import (
	"reflect"
	"testing"
)

type node struct {
	left *node
	//lint:ignore U1000 a node has two pointers
	right *node
	value int
}

func TestNewIsZeroAfterReset(t *testing.T) {
	a := NewArena()
	defer a.Free()
	for round := range 3 {
		for i := range 10_000 {
			n := New[node](a)
			if *n != (node{}) {
				t.Fatalf("round %d: value %d is %+v, want zero", round, i, *n)
			}
			n.value, n.left = i+1, n
			b := New[[3]byte](a)
			if *b != ([3]byte{}) {
				t.Fatalf("round %d: bytes %d are %v", round, i, *b)
			}
			b[1] = 1
		}
		a.Reset()
	}
}

func TestValuesDoNotOverlap(t *testing.T) {
	a := NewArena()
	defer a.Free()
	s := NewSlab[node](a)
	var all []*node
	for i := range 50_000 {
		n := s.New()
		if i%2 == 0 {
			n = New[node](a)
		}
		n.value = i
		all = append(all, n)
	}
	for i, n := range all {
		if n.value != i {
			t.Fatalf("value %d reads %d", i, n.value)
		}
	}
}

func TestNilArenaIsTheHeap(t *testing.T) {
	var a *Arena
	New[node](a).value = 1
	if s := MakeSlice[int](a, 2, 5); len(s) != 2 || cap(s) != 5 {
		t.Errorf("MakeSlice: len %d cap %d", len(s), cap(s))
	}
	s := NewSlab[node](a)
	s.New().value = 1
	if len(s.MakeSlice(3, 3)) != 3 {
		t.Error("MakeSlice of a nil slab")
	}
	var none *Slab[node]
	mustPanic(t, "nil pointer", func() { none.New() })
	var zero Slab[node]
	zero.New().value = 1
	if len(zero.MakeSlice(3, 3)) != 3 {
		t.Error("MakeSlice of the zero slab")
	}
	a.ResetTo(a.Mark())
	a.Retain(1)
	a.Reset()
	a.Trim()
	a.Free()
	a.Free()
}

func TestZeroSize(t *testing.T) {
	a := NewArena()
	defer a.Free()
	if New[struct{}](a) == nil || NewSlab[[0]*int](a).New() == nil {
		t.Error("nil pointer to a value of size zero")
	}
	if s := MakeSlice[struct{}](a, 1<<20, 1<<30); len(s) != 1<<20 || cap(s) != 1<<30 {
		t.Errorf("len %d cap %d", len(s), cap(s))
	}
	if s := MakeSlice[int](a, 0, 0); s == nil || cap(s) != 0 {
		t.Error("an empty slice must not be nil, nor have room")
	}
}

func TestHugeValues(t *testing.T) {
	a := NewArena()
	defer a.Free()
	for range 2 {
		big := New[[3 << 20]byte](a)
		big[len(big)-1] = 1
		ptrs := MakeSlice[*int](a, 1<<20, 1<<20)
		ptrs[len(ptrs)-1] = new(int)
		small := MakeSlice[*int](a, 1, 1)
		if small[0] != nil || ptrs[0] != nil {
			t.Fatal("not zero")
		}
		a.Reset()
		if *New[[3 << 20]byte](a) != ([3 << 20]byte{}) {
			t.Fatal("huge value is not zero after Reset")
		}
		a.Reset()
	}
}

func TestClone(t *testing.T) {
	type name string
	a := NewArena()
	defer a.Free()
	heapNode := &node{value: 1}
	if Clone(heapNode) != heapNode {
		t.Error("Clone copied a heap pointer")
	}
	n := New[node](a)
	n.value, n.left = 5, n
	c := Clone(n)
	if plainHeap != (c == n) || *c != *n {
		t.Errorf("Clone of an arena pointer: same %t, value %+v", c == n, *c)
	}
	s := MakeSlice[int](a, 3, 10)
	s[2] = 9
	got := Clone(s)
	if len(got) != 3 || got[2] != 9 || !plainHeap && (cap(got) != 3 || &got[0] == &s[0]) {
		t.Errorf("Clone of a slice: %v cap %d", got, cap(got))
	}
	type list []int
	for _, v := range []any{n, list(s), name(String(a, "text"))} {
		if c := Clone(v); !reflect.DeepEqual(c, v) || contains(reflect.ValueOf(c).UnsafePointer()) {
			t.Errorf("Clone of an interface with a %T: %#v", v, c)
		}
	}
	if v := any(heapNode); Clone(v) != v {
		t.Error("Clone copied a heap pointer in an interface")
	}
	if Clone(name("heap")) != "heap" || Clone([]int(nil)) != nil || Clone((*node)(nil)) != nil {
		t.Error("Clone of plain values")
	}
	mustPanic(t, "pointers, slices, and strings", func() { Clone(3) })
	var v any = 3
	mustPanic(t, "pointers, slices, and strings", func() { Clone(v) })
	mustPanic(t, "pointers, slices, and strings", func() { Clone(any(nil)) })
}

func TestMarks(t *testing.T) {
	a := NewArena()
	defer a.Free()
	first := a.Mark()
	keep := New[node](a)
	keep.value = 42
	m := a.Mark()
	for range 3 {
		for i := range 3000 {
			n := New[node](a)
			if *n != (node{}) {
				t.Fatal("not zero after ResetTo")
			}
			n.value = i
			*New[uint16](a) = 7
		}
		inner := a.Mark()
		New[node](a).value = 3
		a.ResetTo(m)
		mustPanic(t, "checkpoint", func() { a.ResetTo(inner) })
		if keep.value != 42 {
			t.Fatalf("a value from before the checkpoint reads %d", keep.value)
		}
	}
	if n := len(a.core.marks.stack); n > 3 {
		t.Errorf("%d marks are kept in a loop", n)
	}
	a.ResetTo(first)
	mustPanic(t, "checkpoint", func() { a.ResetTo(m) })
	a.Reset()
	mustPanic(t, "checkpoint", func() { a.ResetTo(first) })
	b := NewArena()
	defer b.Free()
	mustPanic(t, "checkpoint", func() { b.ResetTo(first) })
	mustPanic(t, "checkpoint", func() { b.ResetTo(Checkpoint{}) })
}
