package arenajson

import (
	"encoding"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/heapwright/heapwright/arena/internal/memory"
)

var (
	roots    sync.Map // reflect.Type → *root
	building struct {
		sync.Mutex
		nodes map[nodeKey]*node
	}
	slabTypes memory.Types
)

// A nodeKey identifies a node. The methods of a type without a name count where
// encoding/json reaches it through a pointer, and nowhere else.
type nodeKey struct {
	typ     reflect.Type
	pointed bool
}

// A root describes the type that a target points to.
type root struct {
	*node
	refs []uintptr // offsets of words that can refer to other values
	std  bool      // left to json.Unmarshal
}

// rootOf returns the root for targets of a pointer type.
func rootOf(pointer reflect.Type) *root {
	if r, ok := roots.Load(pointer); ok {
		return r.(*root)
	}
	building.Lock()
	defer building.Unlock()
	if building.nodes == nil {
		building.nodes = map[nodeKey]*node{}
	}
	n := nodeOf(pointer.Elem(), true)
	r := &root{node: n}
	r.refs, r.std = refsOf(n.typ, 0, nil)
	switch n.op {
	case opStd, opJSON, opText, opLeave: // nothing would be in the arena
		r.std = true
	}
	r.std = r.std || streams(n.typ, map[reflect.Type]bool{})
	first, _ := roots.LoadOrStore(pointer, r)
	return first.(*root)
}

// maxRefs bounds the words that are looked at before a target is decoded into.
const maxRefs = 1 << 12

// refsOf appends the offsets of pointers, strings excepted, in values of type t. It
// reports whether there are too many.
func refsOf(t reflect.Type, at uintptr, refs []uintptr) ([]uintptr, bool) {
	tooMany := false
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		refs = append(refs, at)
	case reflect.Array:
		for i := 0; i < t.Len() && !tooMany; i++ {
			before := len(refs)
			refs, tooMany = refsOf(t.Elem(), at+uintptr(i)*t.Elem().Size(), refs)
			if len(refs) == before {
				break
			}
		}
	case reflect.Struct:
		for f := range t.Fields() {
			if refs, tooMany = refsOf(f.Type, at+f.Offset, refs); tooMany {
				break
			}
		}
	}
	return refs, tooMany || len(refs) > maxRefs
}

// nodeOf returns the node of a type. It may be incomplete while building is locked.
func nodeOf(t reflect.Type, pointed bool) *node {
	k := nodeKey{t, pointed}
	if n := building.nodes[k]; n != nil {
		return n
	}

	// The node must be known before its elements are built, because a type may contain
	// itself. Methods of a type take precedence over its kind.
	n := &node{typ: t, size: t.Size(), slab: slabTypes.ID(t)}
	building.nodes[k] = n
	if n.op = methods(t, pointed); n.op != 0 {
		return n
	}

	switch t.Kind() {
	case reflect.Bool:
		n.op = opBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.op, n.bits = opInt, uint8(t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n.op, n.bits = opUint, uint8(t.Bits())
	case reflect.Float32, reflect.Float64:
		n.op, n.bits = opFloat, uint8(t.Bits())
	case reflect.String:
		if n.op = opString; t == reflect.TypeFor[json.Number]() {
			n.op = opNumber
		}
	case reflect.Pointer:
		if n.op, n.elem = opPointer, nodeOf(t.Elem(), true); t.Name() != "" { // version 1 ignores methods behind it
			n.op = opStd
		}
	case reflect.Slice:
		n.op, n.elem = opSlice, nodeOf(t.Elem(), false)
		if t.Elem().Kind() == reflect.Uint8 {
			n.op = opBytes
		}
	case reflect.Array:
		n.op, n.elem = opArray, nodeOf(t.Elem(), false)
	case reflect.Struct:
		if n.op = opStruct; !n.addFields() {
			n.op = opStd
		}
	case reflect.Map:
		n.op, n.key, n.elem = opMap, nodeOf(t.Key(), false), nodeOf(t.Elem(), false)
		if k := n.key.op; k != opString && k != opNumber && k != opInt && k != opUint || methods(t.Key(), true) != 0 {
			n.op = opStd
		}
	case reflect.Interface:
		if n.op = opStd; t.NumMethod() == 0 {
			n.op = opAny
		}
	default: // versions differ on null
		n.op = opLeave
	}
	return n
}

// methods returns the op of a type that decodes itself, 0 if it does not.
func methods(t reflect.Type, pointed bool) op {
	if !pointed && !unnamedMethods && t.Name() == "" {
		return 0
	}
	p := reflect.PointerTo(t)
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return opRaw
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return opJSON
	case p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return opText
	}
	return 0
}

// addFields completes the node of a struct. It reports false if encoding/json has rules
// for its fields that this package does not follow.
func (n *node) addFields() bool {
	found, ok := fieldsOf(n.typ)
	if !ok {
		return false
	}
	n.fields = make([]field, len(found))
	n.exact, n.folded, n.likely = map[string]*field{}, map[string]*field{}, new([256]bool)
	for i, from := range found {
		f := &n.fields[i]
		if f.next = f; i+1 < len(found) {
			f.next = &n.fields[i+1]
		}
		n.place(f, from)
		f.key = from.name + `"`
		var first, mask [8]byte
		for i := range copy(first[:], f.key) {
			mask[i] = 0xff
		}
		f.word, f.mask = binary.LittleEndian.Uint64(first[:]), binary.LittleEndian.Uint64(mask[:])
		n.exact[from.name] = f
		n.likely[trait([]byte(from.name))] = true
		if !isASCII(from.name) { // another letter may be the same as one of ASCII without regard to case
			for i := range n.likely {
				n.likely[i] = true
			}
		}
	}
	slices.SortFunc(found, precedence)
	for _, from := range found {
		if name := string(fold(nil, []byte(from.name))); n.folded[name] == nil {
			n.folded[name] = n.exact[from.name]
		}
	}
	return true
}

// place finds out where a field is and how it is decoded.
func (n *node) place(f *field, from structField) {
	t := n.typ
	for i, index := range from.index {
		sf := t.Field(index)
		f.offset += sf.Offset
		if i == len(from.index)-1 {
			f.node, f.op, f.quoted = nodeOf(sf.Type, false), 0, from.quoted
			if f.op = f.node.op; f.quoted {
				f.op = opQuoted
			}
			if len(f.via) > 0 {
				f.op = opVia
			}
			if !sf.IsExported() {
				f.op = opLeave
			}
			return
		}
		if t = sf.Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
			if !sf.IsExported() { // it cannot be set
				f.op = opLeave
				return
			}
			f.via = append(f.via, embeddedPointer{f.offset, nodeOf(t, true)})
			f.offset = 0
		}
	}
}
