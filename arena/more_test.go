package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"
)

func TestStrings(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			in := []byte("hello")
			s, b := String(a, string(in)), Bytes(a, in)
			in[0] = 'X'
			if s != "hello" || string(b) != "hello" {
				t.Errorf("copies read %q and %q", s, b)
			}
			if got := Concat(a, "a", "", "bc", s); got != "abchello" {
				t.Errorf("Concat: %q", got)
			}
			if String(a, "") != "" || Concat(a) != "" || Bytes(a, nil) != nil || Bytes(a, []byte{}) == nil {
				t.Error("empty strings and bytes")
			}
			big := strings.Repeat("x", 5<<20)
			if String(a, big) != big {
				t.Error("big string")
			}
			if a != nil && !plainHeap && !containsString(s) {
				t.Error("the copy is not in the arena")
			}
		})
	}
}

func TestAlignedBytes(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			for align := 1; align <= 8192; align *= 2 {
				for _, n := range []int{0, 1, 100, 5000} {
					b := AlignedBytes(a, n, align)
					if len(b) != n || cap(b) != n {
						t.Errorf("len %d cap %d, want %d", len(b), cap(b), n)
					}
					if n > 0 && uintptr(unsafe.Pointer(&b[0]))%uintptr(align) != 0 {
						t.Errorf("%p is not aligned to %d", b, align)
					}
				}
			}
			mustPanic(t, "power of two", func() { AlignedBytes(a, 1, 3) })
			mustPanic(t, "power of two", func() { AlignedBytes(a, 1, 0) })
			mustPanic(t, "AlignedBytes: len out of range", func() { AlignedBytes(a, -1, 8) })
			mustPanic(t, "AlignedBytes: len out of range", func() { AlignedBytes(a, math.MaxInt, 8) })
			mustPanic(t, "AlignedBytes: len out of range", func() { AlignedBytes(a, math.MaxInt-7, 8) })
		})
	}
}

func TestAppend(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			var ints []int
			var ptrs []*int
			var want []int
			for i := range 3000 {
				ints = Append(a, ints, i, -i)
				ptrs = Append(a, ptrs, &[]int{i}[0], nil)
				want = append(want, i, -i)
			}
			if !reflect.DeepEqual(ints, want) {
				t.Error("Append lost values")
			}
			for i := range 3000 {
				if *ptrs[2*i] != i || ptrs[2*i+1] != nil {
					t.Fatalf("pointer %d is wrong", i)
				}
			}
			for _, v := range ints[len(ints):cap(ints)] {
				if v != 0 {
					t.Fatal("the room behind the slice is not zero")
				}
			}
			if got := Append(a, nil, struct{}{}, struct{}{}); len(got) != 2 {
				t.Error("values of size zero")
			}
			if Append[int](a, nil) != nil {
				t.Error("nothing appended to nil is not nil")
			}
		})
	}
}

func TestBuffer(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			var want bytes.Buffer
			b := NewBuffer(a, 3)
			w := io.MultiWriter(b, &want)
			for i := range 500 {
				fmt.Fprintf(w, "%d,", i)
			}
			before := b.Bytes()
			b.WriteByte('!')
			b.WriteString("end")
			want.WriteString("!end")
			long := strings.Repeat("0123456789", 1000)
			n, err := b.ReadFrom(iotest.HalfReader(strings.NewReader(long)))
			want.WriteString(long)
			if n != int64(len(long)) || err != nil {
				t.Errorf("ReadFrom: %d, %v", n, err)
			}
			if b.String() != want.String() || !bytes.Equal(b.Bytes(), want.Bytes()) || b.Len() != want.Len() {
				t.Error("the buffer differs from bytes.Buffer")
			}
			if !bytes.HasPrefix(want.Bytes(), before) {
				t.Error("a write changed earlier Bytes")
			}
			broken := errors.New("broken")
			if _, err := b.ReadFrom(iotest.ErrReader(broken)); err != broken {
				t.Errorf("ReadFrom: %v, want the reader's error", err)
			}
		})
	}
	var zero Buffer
	if zero.WriteByte('x'); zero.String() != "x" {
		t.Error("the zero Buffer")
	}
}

func TestNilMap(t *testing.T) {
	var m *Map[string, int]
	m.Delete("x")
	m.Clear()
	if _, ok := m.Get("x"); ok || m.Len() != 0 || m.At("x") != nil {
		t.Error("a nil map is not empty")
	}
	for range m.All() {
		t.Error("a nil map yields")
	}
	mustPanic(t, "nil Map", func() { m.Set("x", 1) })
	var zero Map[string, int]
	zero.Delete("x")
	zero.Set("x", 1)
	if v, ok := zero.Get("x"); !ok || v != 1 {
		t.Error("the zero Map")
	}
}

func TestMapOrder(t *testing.T) {
	m := NewMap[int, int](nil, 0)
	var want, got []int
	for i := range 1000 {
		k := i * 7919 % 1000
		m.Set(k, i)
		want = append(want, k)
	}
	m.Set(want[5], -1) // stays where it is
	m.Delete(want[300])
	m.Delete(want[10])
	m.Set(-1, 0)
	want[10] = -1
	want = slices.Delete(want, 300, 301)
	for k := range m.All() {
		got = append(got, k)
	}
	if !slices.Equal(got, want) {
		t.Errorf("iterates over %v, want %v", got, want)
	}
}

func TestMapChangesDuringIteration(t *testing.T) {
	a := NewArena()
	defer a.Free()
	m := NewMap[int, int](a, 0)
	for i := range 100 {
		m.Set(i, i)
	}
	seen := map[int]bool{}
	for k, v := range m.All() {
		if seen[k] {
			t.Fatalf("key %d twice", k)
		}
		seen[k] = true
		if k >= 100 {
			continue
		}
		if k != v && v != -k {
			t.Fatalf("key %d has value %d", k, v)
		}
		m.Delete(k + 1)
		for i := range 20 { // makes the map grow
			m.Set(1000+20*k+i, 0)
		}
		m.Set(k+2, -(k + 2))
	}
	for k := range 100 {
		if seen[k] != (k%2 == 0) {
			t.Errorf("key %d seen: %t", k, seen[k])
		}
	}
}

func TestStats(t *testing.T) {
	a := new(Pool).Get()
	defer a.Free()
	for range 100 {
		New[node](a)
	}
	MakeSlice[uint16](a, 10, 50)
	String(a, "hello")
	s := a.Stats()
	size := int64(unsafe.Sizeof(node{}))
	if s.Bytes != 100*size+100+5 || s.Objects != 100+50 || s.Peak != s.Bytes {
		t.Errorf("%+v", s)
	}
	if !plainHeap && s.Retained < s.Bytes {
		t.Errorf("retains %d bytes, has handed out %d", s.Retained, s.Bytes)
	}
	if len(s.Types) != 3 || s.Types[0] != (TypeStats{reflect.TypeFor[node](), 100 * size, 100, s.Types[0].Retained}) {
		t.Errorf("by type: %+v", s.Types)
	}
	a.Reset()
	if after := a.Stats(); after.Bytes != 0 || after.Objects != 0 || after.Peak != s.Peak {
		t.Errorf("after Reset: %+v", after)
	}
	if (*Arena)(nil).Stats().Bytes != 0 {
		t.Error("nil arena")
	}
}

func TestReflectNew(t *testing.T) {
	type unseen struct {
		p *int
		s string
	}
	a := NewArena()
	defer a.Free()
	for round := range 2 {
		for _, typ := range []reflect.Type{reflect.TypeFor[node](), reflect.TypeFor[unseen](), reflect.TypeFor[int32](), reflect.TypeFor[struct{}]()} {
			for range 1000 {
				v := ReflectNew(a, typ)
				if v.Type() != reflect.PointerTo(typ) || !v.Elem().IsZero() {
					t.Fatalf("round %d: %v", round, v)
				}
				if typ == reflect.TypeFor[unseen]() {
					*v.Interface().(*unseen) = unseen{new(int), "x"}
				}
			}
		}
		*New[unseen](a) = unseen{s: "static"}
		a.Reset()
	}
	if v := ReflectNew(nil, reflect.TypeFor[int]()); v.Elem().Int() != 0 {
		t.Error("nil arena")
	}
	mustPanic(t, "arena: ReflectNew of a nil type", func() { ReflectNew(a, nil) })
	mustPanic(t, "arena: ReflectNew of a nil type", func() { ReflectNew(nil, nil) })
}

func TestContext(t *testing.T) {
	if FromContext(context.Background()) != nil {
		t.Error("a context without an arena has one")
	}
	a := NewArena()
	defer a.Free()
	if FromContext(NewContext(context.Background(), a)) != a {
		t.Error("the arena is not in the context")
	}
}

func TestPool(t *testing.T) {
	p := &Pool{Retain: -1}
	a := p.Get()
	New[node](a)
	a.Free()
	b := p.Get()
	defer b.Free()
	if a == b {
		t.Error("a freed arena came back as the same pointer")
	}
	if s := b.Stats(); s.Retained != 0 || s.Peak != 0 {
		t.Errorf("a new arena is not empty: %+v", s)
	}
	if (*Pool)(nil).Get() != nil {
		t.Error("a nil pool must give the heap")
	}
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
	for range 100 { // overwrite what was the tree's
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
	got.index.Set("new", got) // the map goes on with the heap
	if at, _ := got.index.Get("new"); at != got || got.index.Len() != 11 || contains(unsafe.Pointer(got)) {
		t.Error("the promoted map")
	}
	if Promote[*tree](nil) != nil || Promote(3) != 3 || Promote[any](nil) != nil {
		t.Error("plain values")
	}
}
