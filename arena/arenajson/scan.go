package arenajson

import (
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// A container is an object or array of the input.
type container struct {
	end   uint32 // offset of the byte behind it
	count uint32 // members or elements
	next  uint32 // index of the first container that does not lie in it
}

// Values of end while the container is open.
const (
	openObject = iota
	openArray
)

// maxDepth is how deep containers may be nested (maxNestingDepth of encoding/json).
const maxDepth = 10000

// scan reports whether the input is valid, and records its containers in order. So
// decoding works on valid input, makes slices of the exact length, and skips a
// container in one step.
func (d *decoder) scan() bool {
	const none = ^uint32(0)
	tape, current, count, depth := d.tape[:0], none, uint32(0), 0
	defer func() { d.tape = tape }()
	p := d.base

	// A state machine with labels needs no recursion, so deep input takes no stack.
value:
	p = jsontext.Space(p)
	switch c := jsontext.Char(p); c {
	case '{', '[':
		if depth++; depth > maxDepth {
			return false
		}
		if current != none {
			tape[current].count = count
		}
		kind := uint32(openObject)
		if c == '[' {
			kind = openArray
		}
		tape = append(tape, container{kind, 0, current}) // next is the parent until it is closed
		current, count = uint32(len(tape)-1), 0
		p = jsontext.Space(unsafe.Add(p, 1))
		if jsontext.Char(p) == c+2 { // the closing bracket
			goto closing
		}
		if c == '{' {
			goto key
		}
		goto value
	case '"':
		if p = jsontext.CheckString(unsafe.Add(p, 1)); p == nil {
			return false
		}
	case 't':
		if jsontext.Load4(p) != 'e'<<24|'u'<<16|'r'<<8|'t' {
			return false
		}
		p = unsafe.Add(p, 4)
	case 'f':
		if jsontext.Load4(unsafe.Add(p, 1)) != 'e'<<24|'s'<<16|'l'<<8|'a' {
			return false
		}
		p = unsafe.Add(p, 5)
	case 'n':
		if jsontext.Load4(p) != 'l'<<24|'l'<<16|'u'<<8|'n' {
			return false
		}
		p = unsafe.Add(p, 4)
	default:
		if p = jsontext.CheckNumber(p); p == nil {
			return false
		}
	}

	// After a value, its container goes on or ends. Without a container the input ends.
after:
	p = jsontext.Space(p)
	if current == none {
		return p == d.end
	}
	count++
	switch c := jsontext.Char(p); {
	case c == ',':
		p = jsontext.Space(unsafe.Add(p, 1))
		if tape[current].end == openArray {
			goto value
		}
	case c == '}' && tape[current].end == openObject, c == ']' && tape[current].end == openArray:
		goto closing
	default:
		return false
	}

	// Most encoders write no space after a colon, or one.
key:
	if jsontext.Char(p) != '"' {
		return false
	}
	if p = jsontext.CheckString(unsafe.Add(p, 1)); p == nil {
		return false
	}
	if p = jsontext.Space(p); jsontext.Char(p) != ':' {
		return false
	}
	if p = unsafe.Add(p, 1); jsontext.Char(p) == ' ' {
		p = unsafe.Add(p, 1)
	}
	goto value

	// Now the number of elements and the end of the container are known.
closing:
	p = unsafe.Add(p, 1)
	{
		parent := tape[current].next
		tape[current] = container{uint32(uintptr(p) - uintptr(d.base)), count, uint32(len(tape))}
		current, count, depth = parent, 0, depth-1
		if current != none {
			count = tape[current].count
		}
	}
	goto after
}
