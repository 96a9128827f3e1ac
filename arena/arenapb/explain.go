package arenapb

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/proto"
)

// Explain returns one sentence for each part of a message's type, and of the types
// that it refers to, that proto.Unmarshal decodes onto the heap. Go maps are not
// listed, because their keys and values are decoded like other fields. Only the type
// of m counts: m may be a nil pointer. Calls may be concurrent.
func Explain(m proto.Message) []string {
	if m == nil {
		return []string{"a nil message has no type"}
	}
	typ := reflect.TypeOf(m)
	if reason := foreign(typ); reason != "" {
		return []string{nameOf(m) + " " + reason}
	}
	var sentences []string
	seen := map[*table]bool{}
	var explain func(t *table)
	explain = func(t *table) {
		if seen[t] {
			return
		}
		seen[t] = true
		name := t.desc.FullName()
		if t.reason != "" {
			sentences = append(sentences, fmt.Sprintf("%s %s", name, t.reason))
		}
		for _, reason := range t.reasons {
			sentences = append(sentences, fmt.Sprintf("%s: %s", name, reason))
		}
		if t.extends {
			sentences = append(sentences, fmt.Sprintf("%s: its extensions are decoded one by one", name))
		}
		for i := range t.fields {
			if sub := t.fields[i].table; sub != nil {
				explain(sub)
			}
		}
	}
	explain(tableOf(typ, m))
	slices.Sort(sentences)
	return slices.Compact(sentences)
}

// nameOf returns the name of a message's type: the name of its Go type if m is nil, since
// only generated types have a descriptor then.
func nameOf(m proto.Message) string {
	if (*iface)(unsafe.Pointer(&m)).data == nil {
		return reflect.TypeOf(m).String()
	}
	return string(m.ProtoReflect().Descriptor().FullName())
}
