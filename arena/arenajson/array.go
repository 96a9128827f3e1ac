package arenajson

import (
	"reflect"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// slice decodes a slice that was nil. It has the exact length at once.
func (d *decoder) slice(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	list := (*slice)(at)
	if jsontext.Char(p) != '[' || list.data != nil {
		return nil
	}
	count := int(d.tape[d.next].count)
	if count == 0 {
		*list = slice{data: unsafe.Pointer(&nothing)}
	} else {
		*list = slice{d.Several(n.elem.slab, count, n.elem.size), count, count}
	}
	return d.elements(n.elem, list.data, count, p)
}

// nothing is where empty slices begin.
var nothing [0]uint64

// array decodes an array. Elements without a value become zero.
func (d *decoder) array(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '[' {
		return nil
	}
	length := n.typ.Len()
	for i := int(d.tape[d.next].count); i < length; i++ {
		reflect.NewAt(n.elem.typ, unsafe.Add(at, uintptr(i)*n.elem.size)).Elem().SetZero()
	}
	return d.elements(n.elem, at, length, p)
}

// elements decodes an array of the input into at most n values in a row.
func (d *decoder) elements(elem *node, at unsafe.Pointer, n int, p unsafe.Pointer) unsafe.Pointer {
	d.next++
	p = jsontext.Space(unsafe.Add(p, 1))
	if jsontext.Char(p) == ']' {
		return unsafe.Add(p, 1)
	}
	for i := 0; ; i++ {
		if i >= n {
			p = d.skip(p)
		} else if p = d.value(elem, at, p); p == nil {
			return nil
		}
		if p = jsontext.Space(p); jsontext.Char(p) == ']' {
			return unsafe.Add(p, 1)
		}
		p = jsontext.Space(unsafe.Add(p, 1))
		if i+1 < n {
			at = unsafe.Add(at, elem.size)
		}
	}
}
