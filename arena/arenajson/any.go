package arenajson

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// A box is a type whose values lie in the arena when an interface holds them.
type box struct {
	typ  unsafe.Pointer // the type word of an interface
	slab uint32
	size uintptr
}

func boxOf(zero any) box {
	t := reflect.TypeOf(zero)
	return box{(*eface)(unsafe.Pointer(&zero)).typ, slabTypes.ID(t), t.Size()}
}

var (
	floatBox  = boxOf(float64(0))
	stringBox = boxOf("")
	sliceBox  = boxOf([]any(nil))
	anySlab   = slabTypes.ID(reflect.TypeFor[any]())
)

const anySize = unsafe.Sizeof(eface{})

// box stores a zero value of the box's type in the interface at an address, and
// returns the address of the value.
func (d *decoder) box(b box, at unsafe.Pointer) unsafe.Pointer {
	p := d.One(b.slab, b.size)
	*(*eface)(at) = eface{b.typ, p}
	return p
}

// any decodes a value of type any. Maps are on the heap.
func (d *decoder) any(at, p unsafe.Pointer) unsafe.Pointer {
	switch jsontext.Char(p) {
	case 'n':
		*(*any)(at) = nil
		return unsafe.Add(p, 4)
	case 't':
		*(*any)(at) = true
		return unsafe.Add(p, 4)
	case 'f':
		*(*any)(at) = false
		return unsafe.Add(p, 5)
	case '"':
		return d.string(d.box(stringBox, at), p)
	case '[':
		return d.anySlice((*[]any)(d.box(sliceBox, at)), p)
	case '{':
		return d.anyMap((*any)(at), p)
	}
	f, end := decimal(p)
	if end == nil {
		end = jsontext.SkipNumber(p)
		var err error
		if f, err = strconv.ParseFloat(unsafe.String((*byte)(p), uintptr(end)-uintptr(p)), 64); err != nil {
			return nil
		}
	}
	*(*float64)(d.box(floatBox, at)) = f
	return end
}

func (d *decoder) anySlice(list *[]any, p unsafe.Pointer) unsafe.Pointer {
	n := int(d.tape[d.next].count)
	d.next++
	p = jsontext.Space(unsafe.Add(p, 1))
	if n == 0 {
		*list = []any{}
		return unsafe.Add(p, 1)
	}
	*list = unsafe.Slice((*any)(d.Several(anySlab, n, anySize)), n)
	for i := range *list {
		if p = d.any(unsafe.Pointer(&(*list)[i]), p); p == nil {
			return nil
		}
		p = jsontext.Space(unsafe.Add(jsontext.Space(p), 1)) // behind a comma or, at last, the bracket
	}
	return p
}

func (d *decoder) anyMap(at *any, p unsafe.Pointer) unsafe.Pointer {
	n := int(d.tape[d.next].count)
	m := make(map[string]any, n)
	*at = m
	d.next++
	p = jsontext.Space(unsafe.Add(p, 1))
	if n == 0 {
		return unsafe.Add(p, 1)
	}
	value := d.One(anySlab, anySize)
	for range n {
		var name string
		name, p = d.str(unsafe.Add(p, 1))
		if p = d.any(value, jsontext.Colon(p)); p == nil {
			return nil
		}
		m[name] = *(*any)(value)
		p = jsontext.Space(unsafe.Add(jsontext.Space(p), 1))
	}
	return p
}
