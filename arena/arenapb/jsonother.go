package arenapb

import (
	"errors"
	"unsafe"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// null is the word null, as Load4 returns it.
const null = 'l'<<24 | 'l'<<16 | 'u'<<8 | 'n'

var (
	errJSON   = errors.New("input that is not JSON")
	errObject = errors.New("a value that is not an object")
	errArray  = errors.New("a value that is not an array")
	errBool   = errors.New("a value that is neither true nor false")
	errString = errors.New("a value that is not a valid string")
	errNumber = errors.New("a value that is not a number of the field's type")
	errEnum   = errors.New("an unknown name of an enum's value")
	errKey    = errors.New("an invalid key of a map")
	errHex    = errors.New("an ID that does not consist of hexadecimal digits")
	errBase64 = errors.New("bytes that are not encoded in base64")
	errTwice  = errors.New("a field or key that occurs twice")
	errOneof  = errors.New("a second field of a oneof")
)

// unexpected fails at a value that has another type than the field.
func (d *jsonDecoder) unexpected(t *table, p unsafe.Pointer, cause error) unsafe.Pointer {
	if uintptr(p) >= d.end {
		cause = errJSON
	}
	return d.fail(t, p, cause)
}

// value lets protojson decode the value at p into m.
func (d *jsonDecoder) value(t *jsonTable, m, p unsafe.Pointer) unsafe.Pointer {
	end := d.skip(t, p, maxInt)
	if end == nil {
		return nil
	}
	d.other.RecursionLimit = d.depth
	if err := d.other.Unmarshal(unsafe.Slice((*byte)(p), uintptr(end)-uintptr(p)), t.table.value(m)); err != nil {
		return d.fail(t.table, p, err)
	}
	return end
}

// rest lets protojson decode a member whose name is at start and whose value is at p.
func (d *jsonDecoder) rest(t *jsonTable, m, start, p unsafe.Pointer) unsafe.Pointer {
	end := d.skip(t, p, maxInt)
	if end == nil {
		return nil
	}
	object := append([]byte{'{'}, unsafe.Slice((*byte)(start), uintptr(end)-uintptr(start))...)
	into := t.table.value(m)
	fresh := into.ProtoReflect().New().Interface()
	d.partial = true
	d.other.RecursionLimit = d.depth + 1 // the message itself is open
	if err := d.other.Unmarshal(append(object, '}'), fresh); err != nil {
		return d.fail(t.table, start, err)
	}
	proto.Merge(into, fresh)
	return end
}

// skip returns the end of the value at p, which must be valid. At most depth of its
// containers may be inside each other.
func (d *jsonDecoder) skip(t *jsonTable, p unsafe.Pointer, depth int) unsafe.Pointer {
	outer := len(d.closes)

	// This is a state machine like the one that scans input in arenajson. It needs no
	// recursion, but a stack of closing brackets.
value:
	switch c := jsontext.Char(p); c {
	case '{', '[':
		if len(d.closes)-outer == depth {
			return d.fail(t.table, p, errDepth)
		}
		d.closes = append(d.closes, c+2)
		if p = jsontext.Space(unsafe.Add(p, 1)); jsontext.Char(p) == c+2 {
			goto closing
		}
		if c == '{' {
			goto name
		}
		goto value
	case '"':
		if _, _, p = d.quoted(t, unsafe.Add(p, 1)); p == nil {
			return nil
		}
	case 't':
		if jsontext.Load4(p) != 'e'<<24|'u'<<16|'r'<<8|'t' {
			return d.fail(t.table, p, errJSON)
		}
		p = unsafe.Add(p, 4)
	case 'f':
		if jsontext.Load4(unsafe.Add(p, 1)) != 'e'<<24|'s'<<16|'l'<<8|'a' {
			return d.fail(t.table, p, errJSON)
		}
		p = unsafe.Add(p, 5)
	case 'n':
		if jsontext.Load4(p) != null {
			return d.fail(t.table, p, errJSON)
		}
		p = unsafe.Add(p, 4)
	default:
		start := p
		if p = jsontext.CheckNumber(p); p == nil {
			return d.fail(t.table, start, errJSON)
		}
	}

	// After a value, its container goes on or ends. The value at p has no container.
after:
	if len(d.closes) == outer {
		return p
	}
	p = jsontext.Space(p)
	switch closing := d.closes[len(d.closes)-1]; jsontext.Char(p) {
	case ',':
		if p = jsontext.Space(unsafe.Add(p, 1)); closing == '}' {
			goto name
		}
		goto value
	case closing:
		goto closing
	}
	return d.fail(t.table, p, errJSON)
name:
	if jsontext.Char(p) != '"' {
		return d.fail(t.table, p, errJSON)
	}
	if _, _, p = d.quoted(t, unsafe.Add(p, 1)); p == nil {
		return nil
	}
	if p = jsontext.Space(p); jsontext.Char(p) != ':' {
		return d.fail(t.table, p, errJSON)
	}
	p = jsontext.Space(unsafe.Add(p, 1))
	goto value
closing:
	d.closes = d.closes[:len(d.closes)-1]
	p = unsafe.Add(p, 1)
	goto after
}
