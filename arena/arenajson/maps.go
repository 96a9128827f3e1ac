package arenajson

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// mapping decodes the object at p into the map at the address at. The map is on the heap,
// because only the runtime can make one. Memory that its keys and values refer to is in
// the arena.
func (d *decoder) mapping(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '{' {
		return nil
	}
	m := reflect.NewAt(n.typ, at).Elem()
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(n.typ, int(d.tape[d.next].count)))
	}
	d.next++
	if p = jsontext.Space(unsafe.Add(p, 1)); jsontext.Char(p) == '}' {
		return unsafe.Add(p, 1)
	}
	// SetMapIndex copies a key and a value, so one of each serves for all entries.
	key, elem := d.One(n.key.slab, n.key.size), d.One(n.elem.slab, n.elem.size)
	k, e := reflect.NewAt(n.key.typ, key).Elem(), reflect.NewAt(n.elem.typ, elem).Elem()
	for {
		var name string
		name, p = d.str(unsafe.Add(p, 1))
		if !n.key.storeName(key, name) {
			return nil
		}
		if p = d.value(n.elem, elem, jsontext.Colon(p)); p == nil {
			return nil
		}
		m.SetMapIndex(k, e)
		e.SetZero() // the next value must not be decoded into this one
		if p = jsontext.Space(p); jsontext.Char(p) == '}' {
			return unsafe.Add(p, 1)
		}
		p = jsontext.Space(unsafe.Add(p, 1))
	}
}

// storeName stores a name of an object as the key of a map, and reports whether the key's
// type can hold it.
func (n *node) storeName(at unsafe.Pointer, s string) bool {
	var err error
	switch n.op {
	case opInt:
		var i int64
		i, err = strconv.ParseInt(s, 10, int(n.bits))
		n.store(at, uint64(i))
	case opUint:
		var u uint64
		u, err = strconv.ParseUint(s, 10, int(n.bits))
		n.store(at, u)
	default:
		*(*string)(at) = s
	}
	return err == nil
}
