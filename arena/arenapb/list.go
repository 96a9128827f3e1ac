package arenapb

import "unsafe"

// rawList is the slab id of lists of numbers. Any bits make a number, so they
// lie in the bytes of the arena, which need not be cleared.
const rawList = ^uint32(0)

// messages decodes a run of n records of a repeated field into consecutive messages,
// with consecutive pointers. It is called when message has no frame left.
func (d *decoder) messages(f *field, list *slice, n int, p unsafe.Pointer, depth int) unsafe.Pointer {
	m := d.several(f.values, n, f.size, p)
	place := d.extend(f, list, n, p)
	for i := 1; ; i++ {
		size, rest := length(p)
		*(*unsafe.Pointer)(place) = m
		list.len++
		if p = d.message(f.table, m, rest, uintptr(rest)+uintptr(size), depth-1, 0); p == nil || i == n {
			return p
		}
		p = unsafe.Add(p, f.tagLen)
		m, place = unsafe.Add(m, f.size), unsafe.Add(place, unsafe.Sizeof(m))
	}
}

// count returns the number of complete records with a length that follow each
// other with the same tag. The length of the first is at p.
func (f *field) count(p unsafe.Pointer, end uintptr) int {
	for n := 0; ; n++ {
		size := int(*(*byte)(p))
		if size < 0x80 {
			p = unsafe.Add(p, 1)
		} else {
			size, p = length(p)
		}
		if size > int(end-uintptr(p)) {
			return n
		}
		if p = unsafe.Add(p, size); uintptr(p) >= end || load8(p)&f.mask != f.tag {
			return n + 1
		}
		p = unsafe.Add(p, f.tagLen)
	}
}

// extend makes room for n more values in a list and returns the place of the
// first. The caller, which is at p, raises the length.
func (d *decoder) extend(f *field, list *slice, n int, p unsafe.Pointer) unsafe.Pointer {
	size := f.size
	if f.table != nil {
		size = unsafe.Sizeof(list)
	}
	if list.cap-list.len < n {
		room := n
		if list.len > 0 { // several runs: as append does
			room = max(list.len+n, 2*list.len)
		}
		var grown unsafe.Pointer
		if f.lists == rawList {
			grown = d.numbers(room*int(size), p)
		} else {
			grown = d.several(f.lists, room, size, p)
		}
		if list.len > 0 {
			f.move(grown, list)
		}
		list.data, list.cap = grown, room
	}
	return unsafe.Add(list.data, uintptr(list.len)*size)
}

// numbers returns n bytes for a list of numbers at p. They lie in the slab of the input's
// copy, of which only their own part shows how much is ahead, and may at most double.
func (d *decoder) numbers(n int, p unsafe.Pointer) unsafe.Pointer {
	d.listed += n
	return d.Bytes(n, min(d.ahead(p), 1)*float64(d.listed)/float64(d.copied+d.listed))
}

// move copies the values of a list.
func (f *field) move(to unsafe.Pointer, list *slice) {
	n := list.len
	switch {
	case f.table != nil:
		copy(unsafe.Slice((*unsafe.Pointer)(to), n), unsafe.Slice((*unsafe.Pointer)(list.data), n))
	case f.elem == opText || f.elem == opString:
		copy(unsafe.Slice((*string)(to), n), unsafe.Slice((*string)(list.data), n))
	case f.elem == opBytes:
		copy(unsafe.Slice((*[]byte)(to), n), unsafe.Slice((*[]byte)(list.data), n))
	default:
		n *= int(f.size)
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(list.data), n))
	}
}

// list decodes a run of records, each with one value of a list.
func (d *decoder) list(f *field, t *table, list *slice, p unsafe.Pointer, end uintptr) unsafe.Pointer {
	n := f.countValues(p, end)
	if n == 0 {
		return d.fail(t, p, errTruncated)
	}
	place := d.extend(f, list, n, p)
	for i := 1; ; i++ {
		if p = d.scalar(f.elem, t, place, p, end); p == nil {
			return nil
		}
		list.len++
		if i == n {
			return p
		}
		p, place = unsafe.Add(p, f.tagLen), unsafe.Add(place, f.size)
	}
}

// countValues is count for values of any encoding. A varint may be invalid.
func (f *field) countValues(p unsafe.Pointer, end uintptr) int {
	fixed := 0
	switch f.elem {
	case opText, opString, opBytes:
		return f.count(p, end)
	case opFixed64:
		fixed = 8
	case opFixed32:
		fixed = 4
	}
	for n := 0; ; n++ {
		if fixed != 0 {
			p = unsafe.Add(p, fixed)
		} else if _, p = varint(p); p == nil {
			return n + 1 // so that its error is found
		}
		if uintptr(p) > end {
			return n
		}
		if uintptr(p) == end || load8(p)&f.mask != f.tag {
			return n + 1
		}
		if p = unsafe.Add(p, f.tagLen); uintptr(p) > end {
			return n + 1
		}
	}
}
