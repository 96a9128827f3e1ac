package arenapb

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"
)

// unknownRecord keeps the record at start, whose tag no field has. It returns the end
// of the record, or nil on an error, and whether the record ended the group, which it
// cannot in an inner message.
func (d *decoder) unknownRecord(t *table, m, start unsafe.Pointer, end uintptr, depth int, group uint32, inner bool) (_ unsafe.Pointer, ended bool) {
	tag, p := varint(start)
	number, kind := protowire.Number(tag>>3), protowire.Type(tag&7)
	switch {
	case number < protowire.MinValidNumber:
		return d.fail(t, start, errTag), false
	case kind == protowire.EndGroupType:
		if inner || group == 0 || uint32(number) != group {
			return d.fail(t, start, errGroupEnd), false
		}
		return p, true
	case depth == 1 && isMap(t.desc.Fields().ByNumber(number)):
		return d.fail(t, start, errDepth), false // an entry has the same limit
	case t.extends && t.desc.Fields().ByNumber(number) == nil:
		return d.foreignRecord(t, m, start, end, depth), false
	}
	rest := unsafe.Slice((*byte)(p), end-uintptr(p))
	n := protowire.ConsumeFieldValue(number, kind, rest)
	if n < 0 {
		return d.fail(t, start, recordError(n)), false
	}
	if !d.foreign.DiscardUnknown && t.keeps {
		if d.text == nil { // the type has no text, so no other record needs it
			size := int(d.end - uintptr(d.base))
			d.text = onHeap([][]byte{unsafe.Slice((*byte)(d.base), size)}, size)
		}
		unknown := (*[]byte)(unsafe.Add(m, t.unknown))
		if shortest := *(*byte)(unsafe.Add(p, -1)) != 0; shortest {
			d.keep(unknown, d.raw(start, int(uintptr(p)-uintptr(start))+n))
		} else {
			d.keep(unknown, protowire.AppendTag(nil, number, kind))
			d.keep(unknown, d.raw(p, n))
		}
	}
	return unsafe.Add(p, n), false
}

func isMap(f protoreflect.FieldDescriptor) bool { return f != nil && f.IsMap() }

// keep appends a record to unknown fields. It copies nothing while they are
// contiguous in the text.
func (d *decoder) keep(unknown *[]byte, record []byte) {
	old := *unknown
	at := unsafe.Pointer(unsafe.SliceData(old))
	switch n := len(old) + len(record); {
	case len(record) == 0:
	case len(old) == 0:
		*unknown = record
	case len(old) == cap(old) && uintptr(at)+uintptr(len(old)) == uintptr(unsafe.Pointer(unsafe.SliceData(record))) && d.inText(at):
		*unknown = unsafe.Slice((*byte)(at), n)
	case n <= cap(old):
		*unknown = append(old, record...)
	default:
		grown := unsafe.Slice((*byte)(d.Bytes(2*n, 0)), 2*n)
		copy(grown[copy(grown, old):], record)
		*unknown = grown[:n]
	}
}

// inText reports whether p points into the text of this input.
func (d *decoder) inText(p unsafe.Pointer) bool {
	return uintptr(p)-uintptr(d.text) < d.end-uintptr(d.base)
}

// foreignRecord lets proto.Unmarshal merge the record at start into m.
func (d *decoder) foreignRecord(t *table, m, start unsafe.Pointer, end uintptr, depth int) unsafe.Pointer {
	tag, p := varint(start)
	n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.Type(tag&7), unsafe.Slice((*byte)(p), end-uintptr(p)))
	if n < 0 {
		return d.fail(t, start, recordError(n))
	}
	n += int(uintptr(p) - uintptr(start))
	d.foreign.RecursionLimit = depth
	out, err := d.foreign.UnmarshalState(protoiface.UnmarshalInput{Message: t.value(m).ProtoReflect(), Buf: unsafe.Slice((*byte)(start), n)})
	if err != nil {
		return d.fail(t, start, err)
	}
	if out.Flags&protoiface.UnmarshalInitialized == 0 {
		d.partial = true
	}
	return unsafe.Add(start, n)
}

// value returns the message at m.
func (t *table) value(m unsafe.Pointer) proto.Message {
	return reflect.NewAt(t.typ, m).Interface().(proto.Message)
}
