package arenapb

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// A jsonDecoder decodes JSON into one arena. It stays in a slot of the arena's core with
// its buffers. The other fields are set for the time of a call.
//
// Its decoding methods return the address behind the value, or nil on an error.
type jsonDecoder struct {
	*decoder
	buffer  []byte       // text before it is copied to its place
	follows []*jsonField // id of a field or table → the field that followed it last time
	seen    []uint64     // bits of the fields and oneofs that the open objects have set
	closes  []byte       // the brackets that end the open containers of a skipped value

	wrappers *wrappers // nil until a number needs one

	depth   int // how many messages may be open
	otlp    bool
	unknown bool // unknown fields are ignored
	other   protojson.UnmarshalOptions
}

// maxBuffer is the capacity of a buffer that a decoder keeps.
const maxBuffer = 64 << 10

func jsonDecoderOf(core memory.Core) *jsonDecoder {
	slot := core.Slot(memory.ProtobufJSON)
	d, ok := (*slot).(*jsonDecoder)
	if !ok {
		d = new(jsonDecoder)
		*slot = d
	}
	d.decoder = decoderOf(core)
	return d
}

// openJSON places a copy of the input that ends with zero bytes, and its text.
func (d *jsonDecoder) openJSON(o *UnmarshalJSONOptions, data []byte, hasText bool) {
	d.open([][]byte{data}, len(data), o.Text, hasText)
	*(*[jsontext.Slack]byte)(unsafe.Add(d.base, len(data))) = [jsontext.Slack]byte{}
	for n := int(jsonIDs.Load()); len(d.follows) < n; {
		d.follows = append(d.follows, nil)
	}
	d.seen, d.closes = d.seen[:0], d.closes[:0]
	d.depth, d.otlp, d.unknown = o.depth(), o.OTLP, o.OTLP || o.DiscardUnknown
	d.other = o.heap()
	d.other.AllowPartial, d.other.DiscardUnknown = true, d.unknown
	if d.other.Resolver == nil {
		d.other.Resolver = protoregistry.GlobalTypes
	}
}

// closeJSON forgets the input.
func (d *jsonDecoder) closeJSON() {
	d.close()
	d.other.Resolver = nil
	if cap(d.buffer) > maxBuffer {
		d.buffer = nil
	}
	if cap(d.seen) > maxBuffer/8 {
		d.seen = nil
	}
	if cap(d.closes) > maxBuffer {
		d.closes = nil
	}
}

// document decodes the whole input into a message. It reports whether there was no error.
func (d *jsonDecoder) document(t *jsonTable, m unsafe.Pointer) bool {
	p := d.object(t, m, jsontext.Space(d.base))
	if p == nil {
		return false
	}
	if p = jsontext.Space(p); uintptr(p) != d.end {
		return d.fail(t.table, p, errJSON) != nil
	}
	return true
}
