package arenapb

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/memory"
)

// heapCores keeps the decoders in their slots, which refer to no message.
var heapCores = sync.Pool{New: func() any { return new(heapCore) }}

// A heapCore is the plain heap in the place of an arena's memory.
type heapCore struct {
	slots [memory.Modules]any
}

// A heapSlab is a slab whose window is always empty.
type heapSlab struct {
	memory.Slab
	typ reflect.Type
}

func (*heapCore) Slab(t reflect.Type, _ int) *memory.Slab {
	return (*memory.Slab)(unsafe.Pointer(&heapSlab{typ: t}))
}

func (*heapCore) Take(s *memory.Slab, n int, _ float64) unsafe.Pointer {
	typ := (*heapSlab)(unsafe.Pointer(s)).typ
	if n == 1 {
		return reflect.New(typ).UnsafePointer()
	}
	return reflect.MakeSlice(reflect.SliceOf(typ), n, n).UnsafePointer()
}

func (*heapCore) Bytes(n int, _ float64) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8))) // aligned to 8
}

func (c *heapCore) Slot(m memory.Module) *any { return &c.slots[m] }
