package arenapb

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A mapping describes how to decode the entries of a Go map.
type mapping struct {
	typ        reflect.Type
	key, value op
	keyWire    protowire.Type
	valueWire  protowire.Type
	zero       uint64                                         // a value that is missing, if it is a number: the first one of an enum
	put        func(m *unsafe.Pointer, e *entry) (again bool) // again if the map had the key
}

// An entry holds a decoded key and value before a map takes them.
type entry struct {
	number    uint64
	text      string
	valueBits uint64
	valueText string
	octets    []byte
	message   unsafe.Pointer
}

// entries decodes a run of entries of the map at an address.
func (d *decoder) entries(f *field, t *table, at, p unsafe.Pointer, end uintptr, depth int) unsafe.Pointer {
	if depth == 1 {
		return d.fail(t, p, errDepth)
	}
	n := f.count(p, end)
	if n == 0 {
		return d.fail(t, p, errTruncated)
	}
	m := (*unsafe.Pointer)(at)
	if *m == nil {
		// Entries may have equal keys, so only a small map gets its final size at
		// once.
		*m = reflect.MakeMapWithSize(f.mapping.typ, min(n, 64)).UnsafePointer()
	}
	e := d.spare
	if d.spare = nil; e == nil { // the spare is in use by an outer map, or there was none
		e = new(entry)
	}
	for i := 1; ; i++ {
		size, rest := length(p)
		if !d.entry(f, t, e, rest, uintptr(rest)+uintptr(size), depth-1) {
			return nil
		}
		if again := f.mapping.put(m, e); again && f.table != nil && d.overwritten() {
			return nil
		}
		*e = entry{}
		if p = unsafe.Add(rest, size); i == n {
			d.spare = e
			return p
		}
		p = unsafe.Add(p, f.tagLen)
	}
}

// entry decodes one entry. It reports whether there was no error.
func (d *decoder) entry(f *field, t *table, e *entry, p unsafe.Pointer, end uintptr, depth int) bool {
	mp := f.mapping
	if e.valueBits = mp.zero; f.table != nil {
		e.message = d.one(f.values, f.size, p)
		d.partial = d.partial || f.table.required // the input may have no value
	}
	for uintptr(p) < end {
		start := p
		tag, rest := varint(p)
		number, wire := tag>>3, protowire.Type(tag&7)
		if rest == nil || uintptr(rest) > end || number == 0 || tag >= 1<<32 {
			return d.fail(t, start, errTag) != nil
		}
		switch p = rest; {
		case number == 1 && wire == mp.keyWire:
			at := unsafe.Pointer(&e.number)
			if mp.key == opText || mp.key == opString {
				at = unsafe.Pointer(&e.text)
			}
			p = d.scalar(mp.key, t, at, p, end)
		case number == 2 && wire == mp.valueWire:
			p = d.entryValue(f, t, e, p, end, depth)
		default:
			n := protowire.ConsumeFieldValue(protowire.Number(number), wire, unsafe.Slice((*byte)(p), end-uintptr(p)))
			if n < 0 {
				return d.fail(t, start, recordError(n)) != nil
			}
			p = unsafe.Add(p, n)
		}
		if p == nil {
			return false
		}
	}
	return true
}

func (d *decoder) entryValue(f *field, t *table, e *entry, p unsafe.Pointer, end uintptr, depth int) unsafe.Pointer {
	switch kind := f.mapping.value; kind {
	case opText, opString:
		return d.scalar(kind, t, unsafe.Pointer(&e.valueText), p, end)
	case opBytes:
		return d.scalar(kind, t, unsafe.Pointer(&e.octets), p, end)
	case opMessage:
		n, rest := length(p)
		if n > int(end-uintptr(rest)) {
			return d.fail(t, p, errTruncated)
		}
		return d.message(f.table, e.message, rest, uintptr(rest)+uintptr(n), depth-1, 0)
	default:
		return d.scalar(kind, t, unsafe.Pointer(&e.valueBits), p, end)
	}
}

// puts returns the function that stores entries. The runtime treats maps alike if
// their keys have the same hash function and their values the same layout for the
// collector. So numbers of one size are one type here, and pointers are another.
func puts(key, value op) func(*unsafe.Pointer, *entry) bool {
	switch key {
	case opText, opString:
		return putsKey(value, func(e *entry) string { return e.text })
	case opBool:
		return putsKey(value, func(e *entry) bool { return *(*bool)(unsafe.Pointer(&e.number)) })
	case opVarint32, opZigzag32, opFixed32:
		return putsKey(value, func(e *entry) uint32 { return *(*uint32)(unsafe.Pointer(&e.number)) })
	}
	return putsKey(value, func(e *entry) uint64 { return e.number })
}

func putsKey[K comparable](value op, key func(*entry) K) func(*unsafe.Pointer, *entry) bool {
	switch value {
	case opText, opString:
		return putsValue(key, func(e *entry) string { return e.valueText })
	case opBytes:
		return putsValue(key, func(e *entry) []byte { return e.octets })
	case opMessage:
		return putsValue(key, func(e *entry) unsafe.Pointer { return e.message })
	case opBool:
		return putsValue(key, func(e *entry) bool { return *(*bool)(unsafe.Pointer(&e.valueBits)) })
	case opVarint32, opZigzag32, opFixed32:
		return putsValue(key, func(e *entry) uint32 { return *(*uint32)(unsafe.Pointer(&e.valueBits)) })
	}
	return putsValue(key, func(e *entry) uint64 { return e.valueBits })
}

func putsValue[K comparable, V any](key func(*entry) K, value func(*entry) V) func(*unsafe.Pointer, *entry) bool {
	return func(p *unsafe.Pointer, e *entry) bool {
		m := *(*map[K]V)(unsafe.Pointer(p))
		n := len(m)
		m[key(e)] = value(e)
		return len(m) == n
	}
}

// mappingOf returns the mapping of a field's map, or nil if the Go type is not
// supported.
func mappingOf(f protoreflect.FieldDescriptor, typ reflect.Type) *mapping {
	if typ.Kind() != reflect.Map {
		return nil
	}
	key, keyWire := scalarOf(f.MapKey())
	value, valueWire := scalarOf(f.MapValue())
	mp := &mapping{typ: typ, key: key, value: value, keyWire: keyWire, valueWire: valueWire}
	switch f.MapValue().Kind() {
	case protoreflect.EnumKind:
		mp.zero = uint64(uint32(f.MapValue().Default().Enum()))
	case protoreflect.MessageKind:
		mp.value, mp.valueWire = opMessage, protowire.BytesType
	case protoreflect.GroupKind:
		return nil
	}
	if !holds(typ.Key(), key) || mp.value != opMessage && !holds(typ.Elem(), value) {
		return nil
	}
	mp.put = puts(key, mp.value)
	return mp
}
