package memory

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Types assigns numbers to types, so that their slabs are found by index.
type Types struct {
	list atomic.Pointer[[]reflect.Type]
	lock sync.Mutex
	ids  map[reflect.Type]uint32
}

// ID returns the number of a type.
func (t *Types) ID(typ reflect.Type) uint32 {
	t.lock.Lock()
	defer t.lock.Unlock()
	if id, ok := t.ids[typ]; ok {
		return id
	}
	var list []reflect.Type
	if used := t.list.Load(); used != nil {
		list = *used
	} else {
		t.ids = map[reflect.Type]uint32{}
	}
	id := uint32(len(list))
	list = append(list, typ) // readers of a shorter list do not see it
	t.ids[typ] = id
	t.list.Store(&list)
	return id
}

// Slabs are slabs of one core, bound when they are first used.
type Slabs struct {
	Core

	// Bound has the slabs by the numbers of their types, so that a decoder can take a
	// value without a call. One that is not bound has no room.
	Bound []*Slab

	types *Types
}

// noSlab stands for every slab that is not bound. It has no room.
var noSlab Slab

// NewSlabs returns the slabs of a core for numbered types.
func NewSlabs(core Core, types *Types) Slabs { return Slabs{Core: core, types: types} }

// Reserve prepares for all types that have a number. Call it before One and Several.
func (s *Slabs) Reserve() {
	if list := s.types.list.Load(); list != nil {
		for len(s.Bound) < len(*list) {
			s.Bound = append(s.Bound, &noSlab)
		}
	}
}

// One returns a zero value of the type with a number. Its values have that size.
func (s *Slabs) One(id uint32, size uintptr) unsafe.Pointer {
	if b := s.Bound[id]; b.Left != 0 {
		b.Left -= size
		return unsafe.Add(b.Base, b.Left)
	}
	return s.Take(id, 1, 0, 0)
}

// Several returns n > 0 zero values in a row.
func (s *Slabs) Several(id uint32, n int, size uintptr) unsafe.Pointer {
	if b := s.Bound[id]; size != 0 && b.Left/size >= uintptr(n) {
		b.Left -= uintptr(n) * size
		return unsafe.Add(b.Base, b.Left)
	}
	return s.Take(id, n, 0, 0)
}

// Take returns n zero values in a row, whether or not the slab has room. Most and ahead
// are as in Core.
func (s *Slabs) Take(id uint32, n, most int, ahead float64) unsafe.Pointer {
	b := s.Bound[id]
	if b == &noSlab {
		b = s.Core.Slab((*s.types.list.Load())[id], most)
		s.Bound[id] = b
	}
	return s.Core.Take(b, n, ahead)
}
