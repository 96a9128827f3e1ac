package arenapb

import (
	"math/bits"
	"unsafe"
)

// packed decodes a record with any number of values of a list.
func (d *decoder) packed(f *field, t *table, list *slice, p unsafe.Pointer, end uintptr) unsafe.Pointer {
	size, rest := length(p)
	if size > int(end-uintptr(rest)) {
		return d.fail(t, p, errTruncated)
	}
	p = rest
	if size == 0 {
		return p
	}

	// Values of a fixed size are copied at once.
	if f.elem == opFixed64 || f.elem == opFixed32 {
		if size%int(f.size) != 0 {
			return d.fail(t, p, errTruncated)
		}
		place := d.extend(f, list, size/int(f.size), p)
		fixed(f.elem, place, p, size)
		list.len += size / int(f.size)
		return unsafe.Add(p, size)
	}

	// Counting the values first gives the list its final length.
	n := varints(p, size)
	if n == 0 || *(*byte)(unsafe.Add(p, size-1)) >= 0x80 {
		return d.fail(t, p, errTruncated)
	}
	start, place := p, d.extend(f, list, n, p)
	for i := 0; i < n; {
		x, at := load8(p), unsafe.Add(place, uintptr(i)*f.size)
		if more := x & highBits; i+4 <= n && more&(more<<8) == 0 {
			// No value has more than two bytes, so x holds four of them. Their
			// lengths are hard to predict, so this code has no branches.
			a, x, one := short(x)
			b, x, two := short(x)
			c, x, three := short(x)
			d, _, four := short(x)
			f.elem.put(at, a)
			f.elem.put(unsafe.Add(at, f.size), b)
			f.elem.put(unsafe.Add(at, 2*f.size), c)
			f.elem.put(unsafe.Add(at, 3*f.size), d)
			p = unsafe.Add(p, (one+two+three+four)/8)
			i += 4
			continue
		}
		var v uint64
		if v, p = varint(p); p == nil {
			return d.fail(t, start, errVarint)
		}
		f.elem.put(at, v)
		i++
	}
	list.len += n
	return p
}

// short returns the varint of one or two bytes that x begins with, the rest of x and
// the bits taken.
func short(x uint64) (v, rest uint64, size uint) {
	more := x >> 7 & 1
	size = uint(8 + 8*more)
	return x&0x7f | x>>1&0x3f80&-more, x >> (size & 63), size
}

// put stores the value of a varint.
func (o op) put(at unsafe.Pointer, v uint64) {
	switch o {
	case opVarint64:
		*(*uint64)(at) = v
	case opVarint32:
		*(*uint32)(at) = uint32(v)
	case opZigzag64:
		*(*int64)(at) = unzigzag(v)
	case opZigzag32:
		*(*int32)(at) = int32(unzigzag(v & 0xffffffff))
	case opBool:
		*(*bool)(at) = v != 0
	}
}

// fixed copies size bytes of values of a fixed size.
func fixed(kind op, to, p unsafe.Pointer, size int) {
	if kind == opFixed64 {
		for i := 0; i < size; i += 8 {
			*(*uint64)(unsafe.Add(to, i)) = load8(unsafe.Add(p, i))
		}
		return
	}
	for i := 0; i < size; i += 4 {
		*(*uint32)(unsafe.Add(to, i)) = load4(unsafe.Add(p, i))
	}
}

// varints returns the number of varints that end in the size bytes at p.
func varints(p unsafe.Pointer, size int) int {
	n := 0
	for ; size >= 8; size -= 8 {
		n += bits.OnesCount64(^load8(p) & highBits)
		p = unsafe.Add(p, 8)
	}
	for i := range size {
		if *(*byte)(unsafe.Add(p, i)) < 0x80 {
			n++
		}
	}
	return n
}
