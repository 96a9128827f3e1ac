package arenajson

import (
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// object decodes a struct.
func (d *decoder) object(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '{' {
		return nil
	}
	d.next++
	if p = jsontext.Space(unsafe.Add(p, 1)); jsontext.Char(p) == '}' {
		return unsafe.Add(p, 1)
	}
	var expected *field
	if len(n.fields) > 0 {
		expected = &n.fields[0]
	}
	for {
		p = unsafe.Add(p, 1)
		f := expected // most programs write names in the order of their struct
		switch {
		case f != nil && f.is(p, d.end):
			p = unsafe.Add(p, len(f.key))
		case f != nil && f.next.is(p, d.end): // or leave out a field
			f = f.next
			p = unsafe.Add(p, len(f.key))
		default:
			f, p = d.find(n, p)
		}
		p = jsontext.Colon(p)
		if f == nil {
			p = d.skip(p)
		} else {
			expected = f.next
			switch {
			case f.op == opString && jsontext.Char(p) == '"':
				*(*string)(unsafe.Add(at, f.offset)), p = d.str(unsafe.Add(p, 1))
			case f.op < opLeave:
				p = d.value(f.node, unsafe.Add(at, f.offset), p)
			default:
				p = d.field(f, at, p)
			}
			if p == nil {
				return nil
			}
		}
		if p = jsontext.Space(p); jsontext.Char(p) == '}' {
			return unsafe.Add(p, 1)
		}
		p = jsontext.Space(unsafe.Add(p, 1))
	}
}

// is reports whether a field's name and a quote are at p.
func (f *field) is(p, end unsafe.Pointer) bool {
	if jsontext.Load8(p)&f.mask != f.word {
		return false
	}
	n := len(f.key)
	return n <= 8 || n <= int(uintptr(end)-uintptr(p)) && unsafe.String((*byte)(p), n) == f.key
}

// find returns the field with the name that begins at p, nil if there is none, and the
// place behind the name.
func (d *decoder) find(n *node, p unsafe.Pointer) (*field, unsafe.Pointer) {
	end, ascii := jsontext.Run(p)
	if jsontext.Char(end) != '"' {
		end = unsafe.Add(jsontext.SkipString(end), -1)
		ascii = false
	}
	name := unsafe.Slice((*byte)(p), uintptr(end)-uintptr(p))
	if ascii && !n.likely[trait(name)] {
		return nil, unsafe.Add(end, 1)
	}
	if !ascii {
		d.key, _ = jsontext.Unquote(d.key[:0], name)
		name = d.key
	}
	end = unsafe.Add(end, 1)
	if f := n.exact[string(name)]; f != nil {
		return f, end
	}
	var short [64]byte
	return n.folded[string(fold(short[:0], name))], end
}

// trait returns a hash of the name that ignores the case of ASCII letters.
func trait(name []byte) uint8 {
	n := len(name)
	if n == 0 {
		return 0
	}
	return uint8(n) ^ (name[0]|0x20)*5 ^ (name[n-1]|0x20)*37 ^ (name[n/2]|0x20)*59
}

// field decodes a field that is not just a value at its place.
func (d *decoder) field(f *field, at, p unsafe.Pointer) unsafe.Pointer {
	if f.op == opLeave {
		return nil
	}
	for _, v := range f.via {
		place := (*unsafe.Pointer)(unsafe.Add(at, v.offset))
		if *place == nil {
			*place = d.One(v.target.slab, v.target.size)
		}
		at = *place
	}
	if at = unsafe.Add(at, f.offset); f.quoted && jsontext.Char(p) != 'n' {
		return d.quoted(f.node, at, p)
	}
	return d.value(f.node, at, p)
}
