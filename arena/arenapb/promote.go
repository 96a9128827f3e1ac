package arenapb

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Promote returns a deep copy of m on the heap, which may be kept when the arena of m is
// freed. It is nil if m is nil. Unlike [proto.Clone], it copies strings. Unlike
// [arena.Promote], it copies values on the heap too: a string no longer keeps the block
// of its input alive. [arena.Clone] copies one level only. Several goroutines may promote
// a message at once.
func Promote[M proto.Message](m M) M {
	copied := proto.Clone(m)
	if copied == nil {
		return m // an interface that is nil
	}
	c := copied.(M)
	if r := c.ProtoReflect(); r.IsValid() {
		own(r)
	}
	return c
}

// own gives a message that was copied by package proto its own strings.
func own(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList():
			list := v.List()
			for i := range list.Len() {
				if e := list.Get(i); f.Message() != nil {
					own(e.Message())
				} else if f.Kind() == protoreflect.StringKind {
					list.Set(i, ownString(e))
				}
			}
		case f.IsMap():
			ownMap(f, m, v.Map())
		case f.Message() != nil:
			own(v.Message())
		case f.Kind() == protoreflect.StringKind:
			m.Set(f, ownString(v))
		}
		return true
	})
}

// ownMap replaces a map if its keys or values are strings.
func ownMap(f protoreflect.FieldDescriptor, m protoreflect.Message, entries protoreflect.Map) {
	keys, values := f.MapKey().Kind() == protoreflect.StringKind, f.MapValue().Kind() == protoreflect.StringKind
	fresh := m.NewField(f)
	entries.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if f.MapValue().Message() != nil {
			own(v.Message())
		} else if values {
			v = ownString(v)
		}
		if keys {
			k = protoreflect.ValueOfString(strings.Clone(k.String())).MapKey()
		}
		fresh.Map().Set(k, v)
		return true
	})
	if keys || values {
		m.Set(f, fresh)
	}
}

func ownString(v protoreflect.Value) protoreflect.Value {
	return protoreflect.ValueOfString(strings.Clone(v.String()))
}
