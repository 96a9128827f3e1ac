package arenapb

import (
	"bytes"
	"os"
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// Resolver finds the types of extensions, as in [proto.UnmarshalOptions].
type Resolver interface {
	FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error)
	FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
}

// UnmarshalOptions adds the place of text to [proto.UnmarshalOptions]. The zero value is
// useful.
type UnmarshalOptions struct {
	// Text is the place of strings, bytes and unknown fields. With a nil arena it is
	// the heap.
	Text arena.Text

	// The others are as in [proto.UnmarshalOptions]. With Merge, required fields
	// that are missing in m count as well, unless AllowPartial is set.
	Merge          bool
	AllowPartial   bool
	DiscardUnknown bool
	Resolver       Resolver
	RecursionLimit int
	NoLazyDecoding bool
}

// off decodes every message onto the heap, to measure the savings of arenas, or to
// rule them out as the cause of a fault, without another build.
var off = os.Getenv("HEAPWRIGHT_ARENAPB") == "off"

// Unmarshal decodes data into m and allocates the values that m refers to in a, except
// strings, bytes and unknown fields: these lie on the heap and may be kept when a ends,
// unless [UnmarshalOptions].Text has another place for them. With a nil a it is
// proto.Unmarshal. It returns an error for a nil m and otherwise panics
// if a was freed. After an error, m holds the fields decoded before it, and a can
// still be used. Calls may be concurrent only with different arenas and messages.
func Unmarshal(a *arena.Arena, data []byte, m proto.Message) error {
	return new(UnmarshalOptions).unmarshal(a, [][]byte{data}, m)
}

// Unmarshal is the package's [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(a *arena.Arena, data []byte, m proto.Message) error {
	return o.unmarshal(a, [][]byte{data}, m)
}

// UnmarshalPieces is Unmarshal for input in pieces, as a network delivers it. It
// joins them when it copies the input. With [arena.TextAlias] and several pieces, text is in
// the arena, because there is no original that strings could share.
func (o UnmarshalOptions) UnmarshalPieces(a *arena.Arena, pieces [][]byte, m proto.Message) error {
	return o.unmarshal(a, pieces, m)
}

// unmarshal takes a pointer to the options, because copying them takes a tenth of the
// time of a small message. Whenever it cannot promise the result of proto.Unmarshal, it
// calls that.
func (o *UnmarshalOptions) unmarshal(a *arena.Arena, pieces [][]byte, m proto.Message) error {
	words := (*iface)(unsafe.Pointer(&m))
	if words.data == nil {
		return errNil
	}
	if a == nil || off {
		return o.heap().Unmarshal(joined(pieces), m)
	}
	// The arena keeps the decoder of its last message. Programs decode many messages of
	// one type in a row, and then the table needs no lookup.
	core := memory.Of(a, "arenapb.Unmarshal")
	d, _ := (*core.Slot(memory.Protobuf)).(*decoder)
	if d == nil || d.tab != words.tab {
		t := tableOf(reflect.TypeOf(m), m)
		if t.reason != "" {
			return o.heap().Unmarshal(joined(pieces), m)
		}
		d = decoderOf(core)
		d.table, d.tab = t, words.tab
	}
	t := d.table
	if !o.Merge {
		proto.Reset(m)
	}
	// An empty message is decoded already, unless there is an error to return.
	n := 0
	for _, piece := range pieces {
		n += len(piece)
	}
	if n == 0 && !t.required && o.RecursionLimit >= 0 {
		return nil
	}
	d.open(pieces, n, o.Text, t.text)
	defer d.close()
	d.merge = o.Merge
	d.foreign.DiscardUnknown, d.foreign.Resolver, d.foreign.NoLazyDecoding = o.DiscardUnknown, o.Resolver, o.NoLazyDecoding
	depth := o.RecursionLimit
	if depth == 0 {
		depth = protowire.DefaultRecursionLimit
	}
	if d.message(t, words.data, d.base, d.end, max(depth, 0), 0) == nil {
		if d.again { // the input overwrites values, which would stay in the arena
			return o.heap().Unmarshal(joined(pieces), m)
		}
		return d.err
	}
	// Required fields may be missing. CheckInitialized finds out, but it is not quite the
	// check of proto.Unmarshal: it decodes lazy fields, and it looks into all members of
	// a oneof, not only into the first.
	if !d.partial || o.AllowPartial {
		return nil
	}
	if d.lazy && !o.Merge {
		return o.heap().Unmarshal(joined(pieces), m)
	}
	err := proto.CheckInitialized(m)
	if err != nil && !o.Merge {
		return o.heap().Unmarshal(joined(pieces), m)
	}
	return err
}

// joined returns the pieces as one.
func joined(pieces [][]byte) []byte {
	if len(pieces) == 1 {
		return pieces[0]
	}
	return bytes.Join(pieces, nil)
}

// heap returns the options for proto.Unmarshal.
func (o *UnmarshalOptions) heap() proto.UnmarshalOptions {
	return proto.UnmarshalOptions{
		Merge: o.Merge, AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown,
		Resolver: o.Resolver, RecursionLimit: o.RecursionLimit, NoLazyDecoding: o.NoLazyDecoding,
	}
}
