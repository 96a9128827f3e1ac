package arenajson

import (
	"encoding/json"
	"math"
	"reflect"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/jsontext"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// UnmarshalOptions configures [Unmarshal]. The zero value is useful.
type UnmarshalOptions struct {
	// Text is the place of strings and bytes. With [arena.TextAlias], strings with escapes
	// are in the arena. With a nil arena, all are on the heap.
	Text arena.Text
}

// Unmarshal decodes data into the value that v points to, and allocates the values
// that it refers to in a, except strings and bytes: these lie on the heap and may be
// kept when a ends, unless [UnmarshalOptions].Text has another place for them. With a nil a it is json.Unmarshal; otherwise it has the
// results and errors of json.Unmarshal. It panics if a was freed. Calls may be
// concurrent only with different arenas.
//
// If *v holds pointers, slices, maps or interfaces that are not nil, json.Unmarshal
// merges the input into them, on the heap. So a value that was decoded into an arena
// must be set to its zero value before it is decoded into again.
func Unmarshal(a *arena.Arena, data []byte, v any) error {
	return UnmarshalOptions{}.Unmarshal(a, data, v)
}

// Unmarshal is the package's [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(a *arena.Arena, data []byte, v any) error {
	if a == nil {
		return json.Unmarshal(data, v)
	}
	core := memory.Of(a, "arenajson.Unmarshal")
	words := (*eface)(unsafe.Pointer(&v))
	target := words.data
	if target == nil || uint64(len(data)) > math.MaxUint32 {
		return json.Unmarshal(data, v)
	}
	d := decoderOf(core)
	if d.typ != words.typ {
		t := reflect.TypeOf(v)
		if t.Kind() != reflect.Pointer {
			return json.Unmarshal(data, v)
		}
		d.root, d.typ = rootOf(t), words.typ
		d.Reserve()
	}
	if d.root.std || d.root.refers(target) {
		return json.Unmarshal(data, v)
	}
	before := d.root.save(target)
	if d.decode(d.root, target, data, o.Text) {
		return nil
	}
	d.root.restore(target, before)
	return json.Unmarshal(data, v)
}

// decode decodes the input into a target. It reports whether it could.
func (d *decoder) decode(r *root, target unsafe.Pointer, data []byte, text arena.Text) bool {
	d.open(data, text)
	defer d.close()
	return d.scan() && d.value(r.node, target, jsontext.Space(d.base)) != nil
}

// refers reports whether a target refers to other values.
func (r *root) refers(target unsafe.Pointer) bool {
	for _, at := range r.refs {
		if *(*unsafe.Pointer)(unsafe.Add(target, at)) != nil {
			return true
		}
	}
	return false
}

// save returns a copy of a target, or the zero Value if the target is zero. The copy
// suffices to undo everything, because the target refers to nothing that could have
// changed.
func (r *root) save(target unsafe.Pointer) reflect.Value {
	v := reflect.NewAt(r.typ, target).Elem()
	if v.IsZero() {
		return reflect.Value{}
	}
	before := reflect.New(r.typ).Elem()
	before.Set(v)
	return before
}

// restore undoes the decoding into a target.
func (r *root) restore(target unsafe.Pointer, before reflect.Value) {
	v := reflect.NewAt(r.typ, target).Elem()
	if before.IsValid() {
		v.Set(before)
	} else {
		v.SetZero()
	}
}
