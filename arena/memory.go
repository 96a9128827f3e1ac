package arena

import (
	"reflect"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/memory"
)

// A hook instead of a method: nested modules cannot call an unexported method, and
// users should not find an exported one.
func init() {
	memory.Of = func(arena any, op string) memory.Core { return (*coreMemory)(arena.(*Arena).live(op)) }
}

// coreMemory is a core, as nested modules see it.
type coreMemory core

func (c *coreMemory) Slab(t reflect.Type, most int) *memory.Slab {
	e := reflectElem(t)
	k := uintptr(unsafe.Pointer(e)) // no kind has this key
	s := c.table.get(k)
	if s == nil {
		s = (*core)(c).slabFor(k, e)
		s.most = uintptr(most)
	}
	return (*memory.Slab)(unsafe.Pointer(s)) // a slab begins with the same fields
}

func (*coreMemory) Take(head *memory.Slab, n int, ahead float64) unsafe.Pointer {
	s := (*slab)(unsafe.Pointer(head))
	s.ahead = ahead
	p := s.take(n)
	s.ahead = 0 // others use the slab, too
	return p
}

func (c *coreMemory) Bytes(n int, ahead float64) unsafe.Pointer {
	s := &c.bytes
	s.ahead, s.most = ahead, uintptr(n)
	p := s.takeRaw(uintptr(n), 8)
	s.ahead, s.most = 0, 0 // strings lie in the slab, too
	return p
}

func (c *coreMemory) Slot(m memory.Module) *any { return &c.slots[m] }
