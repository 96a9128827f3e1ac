package arenajson

import (
	"encoding/json"
	"strconv"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// value decodes the value at p and stores it at the address at.
func (d *decoder) value(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	// Null empties what can be nil and leaves other values as they are. Types that decode
	// themselves get it like any other value.
	if jsontext.Char(p) == 'n' && n.op < opStd {
		switch n.op {
		case opPointer:
			*(*unsafe.Pointer)(at) = nil
		case opSlice, opBytes:
			*(*slice)(at) = slice{}
		case opMap:
			*(*unsafe.Pointer)(at) = nil
		case opAny:
			*(*any)(at) = nil
		case opRaw:
			return d.raw(at, p)
		}
		return unsafe.Add(p, 4)
	}

	switch n.op {
	case opBool:
		return boolean(at, p)
	case opInt:
		return n.int(at, p)
	case opUint:
		return n.uint(at, p)
	case opFloat:
		return d.float(n, at, p)
	case opString:
		return d.string(at, p)
	case opNumber:
		return d.number(at, p)
	case opRaw:
		return d.raw(at, p)
	case opBytes:
		if jsontext.Char(p) == '"' {
			return d.base64(at, p)
		}
		return d.slice(n, at, p)
	case opPointer:
		sub := *(*unsafe.Pointer)(at)
		if sub == nil {
			sub = d.One(n.elem.slab, n.elem.size)
			*(*unsafe.Pointer)(at) = sub
		}
		return d.value(n.elem, sub, p)
	case opSlice:
		return d.slice(n, at, p)
	case opArray:
		return d.array(n, at, p)
	case opStruct:
		return d.object(n, at, p)
	case opMap:
		return d.mapping(n, at, p)
	case opAny:
		return d.any(at, p)
	case opStd, opJSON, opText:
		return d.foreign(n, at, p)
	}
	return nil
}

// boolean decodes a bool. All literals have been checked.
func boolean(at, p unsafe.Pointer) unsafe.Pointer {
	switch jsontext.Char(p) {
	case 't':
		*(*bool)(at) = true
		return unsafe.Add(p, 4)
	case 'f':
		*(*bool)(at) = false
		return unsafe.Add(p, 5)
	}
	return nil
}

// integer returns the magnitude of the integer at p, and its end. The end is nil if
// the value is not an integer, or has more than 19 digits.
func integer(p unsafe.Pointer) (uint64, unsafe.Pointer) {
	start, u := p, uint64(0)
	for c := jsontext.Char(p) - '0'; c < 10; c = jsontext.Char(p) - '0' {
		u = u*10 + uint64(c)
		p = unsafe.Add(p, 1)
	}
	if n := uintptr(p) - uintptr(start); n-1 >= 19 {
		return 0, nil
	}
	if c := jsontext.Char(p); c == '.' || c|0x20 == 'e' {
		return 0, nil
	}
	return u, p
}

func (n *node) int(at, p unsafe.Pointer) unsafe.Pointer {
	sign := int64(0)
	if jsontext.Char(p) == '-' {
		sign = -1
		p = unsafe.Add(p, 1)
	}
	u, p := integer(p)
	if u > 1<<(n.bits-1)-1+uint64(-sign) {
		return nil
	}
	n.store(at, (u^uint64(sign))-uint64(sign))
	return p
}

func (n *node) uint(at, p unsafe.Pointer) unsafe.Pointer {
	u, end := integer(p)
	if end == nil { // twenty digits, perhaps
		var err error
		end = jsontext.SkipNumber(p)
		if u, err = strconv.ParseUint(unsafe.String((*byte)(p), uintptr(end)-uintptr(p)), 10, 64); err != nil {
			return nil
		}
	}
	if n.bits < 64 && u>>n.bits != 0 {
		return nil
	}
	n.store(at, u)
	return end
}

// store stores the low bits of an integer.
func (n *node) store(at unsafe.Pointer, u uint64) {
	switch n.bits {
	case 64:
		*(*uint64)(at) = u
	case 32:
		*(*uint32)(at) = uint32(u)
	case 16:
		*(*uint16)(at) = uint16(u)
	case 8:
		*(*uint8)(at) = uint8(u)
	}
}

func (d *decoder) float(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	if n.bits == 64 {
		if f, end := decimal(p); end != nil {
			*(*float64)(at) = f
			return end
		}
	}
	end := jsontext.SkipNumber(p)
	if end == p {
		return nil
	}
	if !n.parseFloat(at, unsafe.String((*byte)(p), uintptr(end)-uintptr(p))) {
		return nil
	}
	return end
}

// parseFloat stores a number, and reports whether it is in range.
func (n *node) parseFloat(at unsafe.Pointer, s string) bool {
	f, err := strconv.ParseFloat(s, int(n.bits))
	if err != nil {
		return false
	}
	if n.bits == 64 {
		*(*float64)(at) = f
	} else {
		*(*float32)(at) = float32(f)
	}
	return true
}

// number decodes a json.Number.
func (d *decoder) number(at, p unsafe.Pointer) unsafe.Pointer {
	switch jsontext.Char(p) {
	case '"':
		s, end := d.str(unsafe.Add(p, 1))
		var check json.Number
		if json.Unmarshal([]byte(s), &check) != nil || string(check) != s {
			return nil
		}
		*(*string)(at) = s
		return end
	case 't', 'f', '{', '[':
		return nil
	}
	end := jsontext.SkipNumber(p)
	*(*string)(at) = d.literal(p, end)
	return end
}
