package arenapb

import (
	"fmt"
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// JSONResolver finds the types of extensions and of Any messages, as in
// [protojson.UnmarshalOptions].
type JSONResolver interface {
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
}

// UnmarshalJSONOptions adds the place of text and OpenTelemetry's dialect of JSON to
// [protojson.UnmarshalOptions]. The zero value is useful.
type UnmarshalJSONOptions struct {
	// Text is the place of strings and bytes. With [arena.TextHeap], each keeps a block of
	// the size of the whole input alive. With [arena.TextAlias], strings with escapes and
	// the values of bytes fields lie in the arena. With a nil arena, all are on the heap.
	Text arena.Text

	// OTLP decodes the JSON of the OpenTelemetry protocol: the bytes fields trace_id,
	// span_id and parent_span_id are in hexadecimal digits, and unknown fields are
	// ignored. It is for generated messages only.
	OTLP bool

	// The others are as in [protojson.UnmarshalOptions].
	AllowPartial   bool
	DiscardUnknown bool
	Resolver       JSONResolver
	RecursionLimit int
}

// UnmarshalJSON decodes data into m and allocates the values that m refers to in a,
// except strings and bytes: these lie on the heap and may be kept when a ends, unless
// [UnmarshalJSONOptions].Text has another place for them. With a nil a it is protojson.Unmarshal. It returns an error for a nil m and
// otherwise panics if a was freed. After an error, m holds the fields decoded before
// it, and a can still be used. Calls may be concurrent only with different arenas and
// messages.
//
// Well-known types such as Timestamp and Struct, and the fields that [Explain] lists,
// go through protojson.Unmarshal, onto the heap. Unlike protojson, UnmarshalJSON
// refuses input that is not JSON even in the values of unknown fields.
func UnmarshalJSON(a *arena.Arena, data []byte, m proto.Message) error {
	return UnmarshalJSONOptions{}.Unmarshal(a, data, m)
}

// Unmarshal is the package's [UnmarshalJSON] with options.
func (o UnmarshalJSONOptions) Unmarshal(a *arena.Arena, data []byte, m proto.Message) error {
	if off {
		a = nil
	}
	target := (*iface)(unsafe.Pointer(&m)).data
	if target == nil {
		return errNilJSON
	}
	if a == nil && !o.OTLP {
		return o.heap().Unmarshal(data, m)
	}
	var core memory.Core
	if a != nil {
		core = memory.Of(a, "arenapb.UnmarshalJSON")
	}
	t := tableOf(reflect.TypeOf(m), m)
	if t.reason != "" {
		if o.OTLP {
			return callError(fmt.Sprintf("arenapb: cannot decode %s from OTLP's JSON: it %s", nameOf(m), t.reason))
		}
		return o.heap().Unmarshal(data, m)
	}
	if core == nil {
		heap := heapCores.Get().(*heapCore)
		defer heapCores.Put(heap)
		core, o.Text = heap, arena.TextHeap
	}
	proto.Reset(m)
	j := jsonTableOf(t)
	d := jsonDecoderOf(core)
	d.openJSON(&o, data, t.text)
	defer d.closeJSON()
	if !d.document(j, target) {
		return d.err
	}
	if d.partial && !o.AllowPartial {
		return proto.CheckInitialized(m)
	}
	return nil
}

// heap returns the options for protojson.Unmarshal.
func (o *UnmarshalJSONOptions) heap() protojson.UnmarshalOptions {
	return protojson.UnmarshalOptions{
		AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown,
		Resolver: o.Resolver, RecursionLimit: o.RecursionLimit,
	}
}

func (o *UnmarshalJSONOptions) depth() int {
	if o.RecursionLimit == 0 {
		return protowire.DefaultRecursionLimit
	}
	return max(o.RecursionLimit, 0)
}
