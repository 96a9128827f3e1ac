package arena

import (
	"reflect"
	"testing"
)

// parts has the parts in which the copies of backends can differ: nil, empty and
// shared ones.
type parts struct {
	none, empty, some []int
	refs, noRefs      []*int
	bytes, noBytes    []byte
	text, noText      string
	entries, noMap    map[string][]int
	p, also           *int
	first, rest       []int // of one array
	same              []int // as first
	boxed, box        any
	self              *parts
	ints              *Map[int, *int]
}

func partsIn(a *Arena) *parts {
	p := New[parts](a)
	p.none, p.noMap = nil, nil
	p.empty, p.some = MakeSlice[int](a, 0, 3), Append(a, nil, 1, 2, 3)
	p.p = New[int](a)
	*p.p, p.also = 4, p.p
	p.refs, p.noRefs = Append(a, nil, p.p, nil, p.p), MakeSlice[*int](a, 0, 0)
	p.bytes, p.noBytes = Bytes(a, []byte{}), Bytes(a, nil)
	p.text, p.noText = String(a, "text"), String(a, "")
	p.entries = map[string][]int{String(a, "key"): p.some, "": nil}
	array := MakeSlice[int](a, 4, 4)
	p.first, p.rest, p.same = array[:2], array[2:], array[:2]
	p.boxed, p.box = p.some, any((*int)(nil))
	p.self = p
	p.ints = NewMap[int, *int](a, 0)
	p.ints.Set(7, p.p)
	return p
}

// TestCopiesAreTheSameWithEveryBackend compares a copy of each kind with values
// that were made on the heap.
func TestCopiesAreTheSameWithEveryBackend(t *testing.T) {
	want := partsIn(nil)
	for name, copied := range map[string]func(*Arena) *parts{
		"none":    partsIn,
		"Promote": func(a *Arena) *parts { return Promote(partsIn(a)) },
		"Promote of a value": func(a *Arena) *parts {
			p := Promote(*partsIn(a))
			p.self = &p
			return &p
		},
		"Clone": func(a *Arena) *parts {
			p := Clone(partsIn(a))
			p.self = p
			return p
		},
		"Promote in place": func(a *Arena) *parts {
			heap := *partsIn(a)
			heap.self = &heap
			return Promote(&heap)
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := NewArena()
			got := copied(a)
			if v, ok := got.ints.Get(7); !ok || v != got.p || got.ints.Len() != 1 {
				t.Errorf("the map has %v, %t", v, ok)
			}
			ints := got.ints
			got.ints = want.ints
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			got.ints = ints
			if got.self != got || got.p != got.also || got.refs[0] != got.p || got.refs[2] != got.p || &got.first[0] != &got.same[0] ||
				&got.entries["key"][0] != &got.some[0] || &got.boxed.([]int)[0] != &got.some[0] {
				t.Errorf("shared parts are not shared: %+v", got)
			}
			a.Free()
		})
	}
}

func TestCloneKeepsNilAndEmpty(t *testing.T) {
	a := NewArena()
	defer a.Free()
	for name, s := range map[string][]int{"nil": nil, "empty": MakeSlice[int](a, 0, 0), "empty with room": MakeSlice[int](a, 0, 5), "heap": {}} {
		if c := Clone(s); (c == nil) != (s == nil) || len(c) != 0 {
			t.Errorf("%s: the clone is %#v", name, c)
		}
		if c := Clone(any(s)).([]int); (c == nil) != (s == nil) || len(c) != 0 {
			t.Errorf("%s in an interface: the clone is %#v", name, c)
		}
		if c := Promote(s); (c == nil) != (s == nil) || len(c) != 0 {
			t.Errorf("%s: promoted to %#v", name, c)
		}
		if c := Append(a, s); (c == nil) != (s == nil) || len(c) != 0 {
			t.Errorf("%s: appended to %#v", name, c)
		}
	}
	if Clone((*int)(nil)) != nil || Clone("") != "" || Promote((*int)(nil)) != nil {
		t.Error("clones of nothing")
	}
}
