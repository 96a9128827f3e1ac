package arenapb

import (
	"unsafe"
)

// value decodes a record that message does not decode itself. It returns the end of
// the record, or nil on an error.
func (d *decoder) value(todo op, f *field, t *table, at, p unsafe.Pointer, end uintptr, depth int) unsafe.Pointer {
	switch todo {
	case opGroup:
		sub := *(*unsafe.Pointer)(at)
		if sub == nil {
			sub = d.one(f.values, f.size, p)
			*(*unsafe.Pointer)(at) = sub
		}
		return d.message(f.table, sub, p, end, depth-1, uint32(f.desc.Number()))
	case opGroups:
		sub := d.one(f.values, f.size, p)
		if p = d.message(f.table, sub, p, end, depth-1, uint32(f.desc.Number())); p != nil {
			list := (*slice)(at)
			*(*unsafe.Pointer)(d.extend(f, list, 1, p)) = sub
			list.len++
		}
		return p
	case opList:
		return d.list(f, t, (*slice)(at), p, end)
	case opPacked:
		return d.packed(f, t, (*slice)(at), p, end)
	case opMap:
		return d.entries(f, t, at, p, end, depth)
	}
	return d.scalar(todo, t, at, p, end)
}

// scalar decodes the scalar at p and stores it at an address.
func (d *decoder) scalar(kind op, t *table, at, p unsafe.Pointer, end uintptr) unsafe.Pointer {
	start := p
	switch kind {
	case opFixed64:
		*(*uint64)(at) = load8(p)
		p = unsafe.Add(p, 8)
	case opFixed32:
		*(*uint32)(at) = load4(p)
		p = unsafe.Add(p, 4)
	case opText, opString, opBytes, opOctets:
		n, rest := length(p)
		if p = rest; n > int(end-uintptr(p)) {
			return d.fail(t, start, errTruncated)
		}
		switch kind {
		case opText:
			if !isASCII(p, n) && !d.isUTF8(p, n) {
				return d.fail(t, start, errUTF8)
			}
			*(*string)(at) = d.str(p, n)
		case opString:
			*(*string)(at) = d.str(p, n)
		default:
			*(*[]byte)(at) = d.raw(p, n)
		}
		return unsafe.Add(p, n)
	default:
		v, rest := varint(p)
		if rest == nil {
			return d.fail(t, p, errVarint)
		}
		p = rest
		kind.put(at, v)
	}
	if uintptr(p) > end {
		return d.fail(t, start, errTruncated)
	}
	return p
}
