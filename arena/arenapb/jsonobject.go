package arenapb

import (
	"fmt"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// object decodes the object at p into the message m, which is empty.
func (d *jsonDecoder) object(t *jsonTable, m, p unsafe.Pointer) unsafe.Pointer {
	if d.depth == 0 {
		return d.fail(t.table, p, errDepth)
	}
	if t.other {
		return d.value(t, m, p)
	}
	if jsontext.Char(p) != '{' {
		return d.unexpected(t.table, p, errObject)
	}
	d.partial = d.partial || t.table.required
	if p = jsontext.Space(unsafe.Add(p, 1)); jsontext.Char(p) == '}' {
		return unsafe.Add(p, 1)
	}

	// seen is a stack, and the bits from first on belong to this object. They find fields
	// that are there twice, which protojson refuses.
	d.depth--
	var (
		first      = len(d.seen)
		last       = t.id // the id of the member before
		extensions []string
	)
	d.seen = append(d.seen, t.unseen...)
	for {
		start := p
		if jsontext.Char(p) != '"' {
			return d.fail(t.table, p, errJSON)
		}
		name, _, end := d.quoted(t, unsafe.Add(p, 1))
		if end == nil {
			return nil
		}

		// Programs write messages of a type in the same order, so a look at the member
		// that followed last time mostly saves the lookup in the map of names.
		f := d.follows[last]
		if f == nil || string(name) != f.name {
			f = t.names[string(name)]
		}

		// Extensions have no bits in seen, and are rare.
		extended := f == nil && d.extends(name)
		if extended {
			if slices.Contains(extensions, string(name)) {
				return d.fail(t.table, start, errTwice)
			}
			extensions = append(extensions, string(name))
		}
		if p = jsontext.Space(end); jsontext.Char(p) != ':' {
			return d.fail(t.table, p, errJSON)
		}
		p = jsontext.Space(unsafe.Add(p, 1))
		switch {
		case f != nil:
			d.follows[last] = f
			last = f.id
			p = d.member(t, f, m, start, p, d.seen[first:])
		case extended:
			p = d.rest(t, m, start, p)
		case d.unknown:
			p = d.skip(t, p, d.depth)
		default:
			return d.fail(t.table, start, fmt.Errorf("the unknown field %.100q", name))
		}
		if p == nil {
			return nil
		}
		p = jsontext.Space(p)
		switch jsontext.Char(p) {
		case ',':
			p = jsontext.Space(unsafe.Add(p, 1))
		case '}':
			d.seen = d.seen[:first]
			d.depth++
			return unsafe.Add(p, 1)
		default:
			return d.fail(t.table, p, errJSON)
		}
	}
}

// extends reports whether a name may be an extension's.
func (d *jsonDecoder) extends(name []byte) bool {
	n := len(name)
	if n < 2 || name[0] != '[' || name[n-1] != ']' || d.otlp {
		return false
	}
	_, err := d.other.Resolver.FindExtensionByName(protoreflect.FullName(name[1 : n-1]))
	return err != protoregistry.NotFound
}

// member decodes the value at p of a field whose name is at start.
func (d *jsonDecoder) member(t *jsonTable, f *jsonField, m, start, p unsafe.Pointer, seen []uint64) unsafe.Pointer {
	if !set(seen, f.bit) {
		return d.fail(t.table, start, errTwice)
	}
	if jsontext.Load4(p) == null && !f.null {
		return unsafe.Add(p, 4)
	}
	if f.oneof != 0 && !set(seen, f.oneof) {
		return d.fail(t.table, start, errOneof)
	}
	switch {
	case f.field == nil:
		return d.rest(t, m, start, p)
	case f.list:
		return d.array(t, f, m, p)
	case f.key != 0:
		return d.entriesJSON(t, f, m, p)
	case f.table != nil:
		sub := d.one(f.field.values, f.field.size, p)
		*(*unsafe.Pointer)(d.place(f.field, m, p)) = sub
		return d.object(f.table, sub, p)
	case f.kind == protoreflect.StringKind:
		s, end := d.stringAt(t, p)
		if end != nil {
			*(*string)(d.place(f.field, m, p)) = s
		}
		return end
	case f.kind == protoreflect.BytesKind:
		b, end := d.bytesAt(t, f, p)
		if end != nil {
			if len(b) == 0 && f.field.store == opOctets {
				b = nil
			}
			*(*[]byte)(d.place(f.field, m, p)) = b
		}
		return end
	}
	v, ok, end := d.number(t, f, p)
	if ok {
		f.store(d.place(f.field, m, p), v)
	}
	return end
}

// set sets a bit. It reports whether it was not set before.
func set(bits []uint64, i int) bool {
	word, bit := &bits[i/64], uint64(1)<<(i%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

// place makes a place for the value at p of a field that is not set, and marks it as
// set.
func (d *jsonDecoder) place(f *field, m, p unsafe.Pointer) unsafe.Pointer {
	at, todo := unsafe.Add(m, f.offset), f.op
	if todo == opPresent {
		*(*uint32)(unsafe.Add(m, f.word)) |= f.bit
		todo = f.then
	}
	switch todo {
	case opOneof:
		box := d.one(f.box, f.boxed, p)
		*(*iface)(at) = iface{f.itab, box}
		at = box
	case opBox:
		box := d.one(f.box, f.boxed, p)
		*(*unsafe.Pointer)(at) = box
		at = box
	}
	return at
}
