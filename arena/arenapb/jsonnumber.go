package arenapb

import (
	"math"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// store stores the bits of a number.
func (f *jsonField) store(at unsafe.Pointer, v uint64) {
	switch f.kind {
	case protoreflect.BoolKind:
		*(*bool)(at) = v != 0
	case protoreflect.Int64Kind, protoreflect.Uint64Kind, protoreflect.Sint64Kind,
		protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		*(*uint64)(at) = v
	default:
		*(*uint32)(at) = uint32(v)
	}
}

// number decodes the number, bool or enum at p. It returns its bits, and false if there is
// no value to store.
func (d *jsonDecoder) number(t *jsonTable, f *jsonField, p unsafe.Pointer) (v uint64, ok bool, end unsafe.Pointer) {
	switch f.kind {
	case protoreflect.BoolKind:
		switch {
		case jsontext.Load4(p) == 'e'<<24|'u'<<16|'r'<<8|'t':
			return 1, true, unsafe.Add(p, 4)
		case jsontext.Load4(unsafe.Add(p, 1)) == 'e'<<24|'s'<<16|'l'<<8|'a' && jsontext.Char(p) == 'f':
			return 0, true, unsafe.Add(p, 5)
		}
		return 0, false, d.unexpected(t.table, p, errBool)
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		if end := jsontext.CheckNumber(p); end != nil {
			s := unsafe.String((*byte)(p), uintptr(end)-uintptr(p))
			if f.kind == protoreflect.FloatKind {
				x, err := strconv.ParseFloat(s, 32)
				if err == nil {
					return uint64(math.Float32bits(float32(x))), true, end
				}
			} else if x, err := strconv.ParseFloat(s, 64); err == nil {
				return math.Float64bits(x), true, end
			}
		}
	case protoreflect.EnumKind:
		return d.enum(t, f, p)
	default:
		if v, end := integer(f.kind, p); end != nil {
			return v, true, end
		}
	}
	return d.rareNumber(t, f.kind, p)
}

// integer decodes an integer as encoders write it. It returns nil for all others.
func integer(kind protoreflect.Kind, p unsafe.Pointer) (uint64, unsafe.Pointer) {
	quoted := jsontext.Char(p) == '"'
	if quoted {
		p = unsafe.Add(p, 1)
	}
	negative := jsontext.Char(p) == '-'
	if negative {
		p = unsafe.Add(p, 1)
	}
	start := p
	v, p := jsontext.Accumulate(0, p)
	switch n := uintptr(p) - uintptr(start); {
	case n == 0 || n > 19 || n > 1 && jsontext.Char(start) == '0': // 19 digits fit 64 bits
		return 0, nil
	case quoted && jsontext.Char(p) != '"':
		return 0, nil
	case quoted:
		p = unsafe.Add(p, 1)
	case jsontext.Char(p) == '.' || jsontext.Char(p)|0x20 == 'e':
		return 0, nil
	}
	most, least := uint64(math.MaxUint64), uint64(0) // without its sign
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind, protoreflect.EnumKind:
		most, least = math.MaxInt32, 1<<31
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		most, least = math.MaxInt64, 1<<63
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		most = math.MaxUint32
	}
	switch {
	case negative && v <= least:
		return -v, p
	case !negative && v <= most:
		return v, p
	}
	return 0, nil
}

// enum decodes the number or name of an enum's value.
func (d *jsonDecoder) enum(t *jsonTable, f *jsonField, p unsafe.Pointer) (v uint64, ok bool, end unsafe.Pointer) {
	if jsontext.Char(p) != '"' {
		if jsontext.Load4(p) == null && f.nullEnum {
			return 0, true, unsafe.Add(p, 4)
		}
		if v, end := integer(f.kind, p); end != nil {
			return v, true, end
		}
		return d.rareNumber(t, f.kind, p)
	}
	name, _, end := d.quoted(t, unsafe.Add(p, 1))
	if end == nil {
		return 0, false, nil
	}
	if value := f.enum.ByName(protoreflect.Name(name)); value != nil {
		return uint64(uint32(value.Number())), true, end
	}
	if !d.unknown {
		end = d.fail(t.table, p, errEnum)
	}
	return 0, false, end
}

// rareNumber lets protojson decode a number with an exponent, or in another form that
// encoders do not write.
func (d *jsonDecoder) rareNumber(t *jsonTable, kind protoreflect.Kind, p unsafe.Pointer) (v uint64, ok bool, end unsafe.Pointer) {
	if end = d.skip(t, p, maxInt); end == nil {
		return 0, false, nil
	}
	if d.wrappers == nil {
		d.wrappers = new(wrappers)
	}
	w := d.wrappers
	var m proto.Message
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind, protoreflect.EnumKind:
		m = &w.int32
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		m = &w.uint32
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		m = &w.uint64
	case protoreflect.FloatKind:
		m = &w.float
	case protoreflect.DoubleKind:
		m = &w.double
	default:
		m = &w.int64
	}
	if d.other.Unmarshal(unsafe.Slice((*byte)(p), uintptr(end)-uintptr(p)), m) != nil {
		return 0, false, d.fail(t.table, p, errNumber)
	}
	switch m {
	case &w.int32:
		v = uint64(uint32(w.int32.Value))
	case &w.uint32:
		v = uint64(w.uint32.Value)
	case &w.uint64:
		v = w.uint64.Value
	case &w.float:
		v = uint64(math.Float32bits(w.float.Value))
	case &w.double:
		v = math.Float64bits(w.double.Value)
	default:
		v = uint64(w.int64.Value)
	}
	return v, true, end
}

// wrappers are messages of one number each.
type wrappers struct {
	int32  wrapperspb.Int32Value
	int64  wrapperspb.Int64Value
	uint32 wrapperspb.UInt32Value
	uint64 wrapperspb.UInt64Value
	float  wrapperspb.FloatValue
	double wrapperspb.DoubleValue
}
