package arenapbtest

import (
	"math"
	"math/rand/v2"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// fill sets random fields of m, and those of its messages down to a depth.
func fill(r *rand.Rand, m protoreflect.Message, depth int) {
	if m.Descriptor().Fields().Len() > 30 {
		depth = min(depth, 1) // its messages would be too many
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if r.IntN(3) == 0 && f.Cardinality() != protoreflect.Required {
			continue
		}
		if f.Message() != nil && depth == 0 && f.Cardinality() != protoreflect.Required {
			continue
		}
		switch {
		case f.IsMap():
			entries := m.Mutable(f).Map()
			for range r.IntN(4) {
				v := entries.NewValue()
				if f.MapValue().Message() != nil {
					fill(r, v.Message(), depth-1)
				} else {
					v = scalar(r, f.MapValue())
				}
				entries.Set(scalar(r, f.MapKey()).MapKey(), v)
			}
		case f.IsList():
			list := m.Mutable(f).List()
			for range r.IntN(5) {
				v := list.NewElement()
				if f.Message() != nil {
					fill(r, v.Message(), depth-1)
				} else {
					v = scalar(r, f)
				}
				list.Append(v)
			}
		case f.Message() != nil:
			fill(r, m.Mutable(f).Message(), depth-1)
		default:
			m.Set(f, scalar(r, f))
		}
	}
	if m.Descriptor().ExtensionRanges().Len() > 0 && depth > 0 && r.IntN(2) == 0 {
		fillExtensions(r, m, depth)
	}
	if r.IntN(8) == 0 {
		m.SetUnknown(protoreflect.RawFields("\xfa\xff\xff\xff\x0f\x02hi\xf8\xff\xff\xff\x0f\x07"))
	}
}

// fillExtensions sets the registered extensions that have scalars or are
// messages.
func fillExtensions(r *rand.Rand, m protoreflect.Message, depth int) {
	protoregistry.GlobalTypes.RangeExtensionsByMessage(m.Descriptor().FullName(), func(x protoreflect.ExtensionType) bool {
		switch f := x.TypeDescriptor(); {
		case f.IsList():
			for range r.IntN(3) {
				if v := m.Mutable(f).List(); f.Message() == nil {
					v.Append(scalar(r, f))
				}
			}
		case f.Message() != nil:
			fill(r, m.Mutable(f).Message(), depth-1)
		default:
			m.Set(f, scalar(r, f))
		}
		return true
	})
}

// scalar returns a random value of a field, often a special one.
func scalar(r *rand.Rand, f protoreflect.FieldDescriptor) protoreflect.Value {
	bits := r.Uint64() >> r.IntN(64)
	if r.IntN(4) == 0 {
		bits = [...]uint64{0, 1, 127, 128, math.MaxUint64, 1 << 63}[r.IntN(6)]
	}
	texts := []string{"", "x", "eightyes", "http.request.method", "größer als", "日本語", "a text that is longer than a word, and longer than sixteen bytes"}
	text := texts[r.IntN(len(texts))]
	switch f.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(bits&1 != 0)
	case protoreflect.EnumKind:
		values := f.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(r.IntN(values.Len())).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(bits))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(bits))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(bits))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(bits)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(bits))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(bits))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(text)
	}
	return protoreflect.ValueOfBytes([]byte(text))
}
