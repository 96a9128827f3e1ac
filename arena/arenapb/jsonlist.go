package arenapb

import (
	"reflect"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// firstRoom is the capacity that a list begins with if its length is not known.
const firstRoom = 4

// array decodes the list at p.
func (d *jsonDecoder) array(t *jsonTable, f *jsonField, m, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '[' {
		return d.unexpected(t.table, p, errArray)
	}
	if p = jsontext.Space(unsafe.Add(p, 1)); jsontext.Char(p) == ']' {
		return unsafe.Add(p, 1)
	}
	list := (*slice)(d.place(f.field, m, p))
	room := firstRoom
	if f.table == nil && f.kind != protoreflect.EnumKind { // an enum's unknown names are left out
		room = f.count(p)
	}
	for {
		at, stored := d.extend(f.field, list, max(1, room-list.len), p), true
		switch {
		case f.table != nil:
			sub := d.one(f.field.values, f.field.size, p)
			*(*unsafe.Pointer)(at) = sub
			p = d.object(f.table, sub, p)
		case f.kind == protoreflect.StringKind:
			*(*string)(at), p = d.stringAt(t, p)
		case f.kind == protoreflect.BytesKind:
			*(*[]byte)(at), p = d.bytesAt(t, f, p)
		default:
			var v uint64
			if v, stored, p = d.number(t, f, p); stored {
				f.store(at, v)
			}
		}
		if p == nil {
			return nil
		}
		if stored {
			list.len++
		}
		p = jsontext.Space(p)
		switch jsontext.Char(p) {
		case ',':
			p = jsontext.Space(unsafe.Add(p, 1))
		case ']':
			return unsafe.Add(p, 1)
		default:
			return d.fail(t.table, p, errJSON)
		}
	}
}

// count returns the number of elements of a list of scalars, whose first is at p. If one
// of them is invalid, those behind it are not counted.
func (f *jsonField) count(p unsafe.Pointer) int {
	text := f.kind == protoreflect.StringKind || f.kind == protoreflect.BytesKind
	for n := 1; ; n++ {
		switch c := jsontext.Char(p); {
		case c == '"':
			if p = jsontext.CheckString(unsafe.Add(p, 1)); p == nil {
				return n
			}
		case text:
			return n
		default:
			start := p
			if p = word(p); p == start {
				return n
			}
		}
		if p = jsontext.Space(p); jsontext.Char(p) != ',' {
			return n
		}
		p = jsontext.Space(unsafe.Add(p, 1))
	}
}

// word returns the end of the letters, digits and signs at p.
func word(p unsafe.Pointer) unsafe.Pointer {
	for {
		switch c := jsontext.Char(p); {
		case c >= 'a' && c <= 'z', jsontext.Digit(c), c == '-', c == '+', c == '.', c == 'E':
			p = unsafe.Add(p, 1)
		default:
			return p
		}
	}
}

// entriesJSON decodes the map at p.
func (d *jsonDecoder) entriesJSON(t *jsonTable, f *jsonField, m, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '{' {
		return d.unexpected(t.table, p, errObject)
	}
	if p = jsontext.Space(unsafe.Add(p, 1)); jsontext.Char(p) == '}' {
		return unsafe.Add(p, 1)
	}

	// One entry serves for all, because the map copies what it stores.
	entries := (*unsafe.Pointer)(d.place(f.field, m, p))
	*entries = reflect.MakeMap(f.field.mapping.typ).UnsafePointer()
	e := new(entry)
	for {
		start := p
		*e = entry{}
		if p = d.mapKey(t, f, e, p); p == nil {
			return nil
		}
		if p = jsontext.Space(p); jsontext.Char(p) != ':' {
			return d.fail(t.table, p, errJSON)
		}
		p = jsontext.Space(unsafe.Add(p, 1))
		stored := true
		switch {
		case f.table != nil:
			e.message = d.one(f.field.values, f.field.size, p)
			p = d.object(f.table, e.message, p)
		case f.kind == protoreflect.StringKind:
			e.valueText, p = d.stringAt(t, p)
		case f.kind == protoreflect.BytesKind:
			e.octets, p = d.bytesAt(t, f, p)
		default:
			var v uint64
			if v, stored, p = d.number(t, f, p); stored {
				f.store(unsafe.Pointer(&e.valueBits), v)
			}
		}
		if p == nil {
			return nil
		}
		if stored && f.field.mapping.put(entries, e) {
			return d.fail(t.table, start, errTwice)
		}
		p = jsontext.Space(p)
		switch jsontext.Char(p) {
		case ',':
			p = jsontext.Space(unsafe.Add(p, 1))
		case '}':
			return unsafe.Add(p, 1)
		default:
			return d.fail(t.table, p, errJSON)
		}
	}
}

// mapKey decodes the key at p.
func (d *jsonDecoder) mapKey(t *jsonTable, f *jsonField, e *entry, p unsafe.Pointer) unsafe.Pointer {
	if f.key == protoreflect.StringKind {
		s, end := d.stringAt(t, p)
		e.text = s
		return end
	}
	if jsontext.Char(p) != '"' {
		return d.fail(t.table, p, errJSON)
	}
	start := p
	name, _, p := d.quoted(t, unsafe.Add(p, 1))
	if p == nil {
		return nil
	}
	at, key := unsafe.Pointer(&e.number), string(name)
	var err error
	switch f.key {
	case protoreflect.BoolKind:
		if *(*bool)(at) = key == "true"; key != "true" && key != "false" {
			err = errKey
		}
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		var v int64
		v, err = strconv.ParseInt(key, 10, 32)
		*(*int32)(at) = int32(v)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		var v uint64
		v, err = strconv.ParseUint(key, 10, 32)
		*(*uint32)(at) = uint32(v)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		*(*uint64)(at), err = strconv.ParseUint(key, 10, 64)
	default:
		*(*int64)(at), err = strconv.ParseInt(key, 10, 64)
	}
	if err != nil {
		return d.fail(t.table, start, errKey)
	}
	return p
}
