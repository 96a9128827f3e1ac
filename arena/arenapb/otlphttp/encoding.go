package otlphttp

import (
	"encoding/json"
	"mime"
	"net/http"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// An encoding is the encoding of a request, and of the response to it.
type encoding struct {
	contentType string
	unmarshal   func(text arena.Text, a *arena.Arena, body []byte, request proto.Message) error
	marshal     func(response proto.Message) ([]byte, error)

	// marshalStatus encodes a google.rpc.Status, the body of an error. It is written by
	// hand, so that the package does not need the module that has the type.
	marshalStatus func(code uint64, message string) []byte
}

var encodings = []encoding{
	{
		contentType: "application/x-protobuf",
		unmarshal: func(text arena.Text, a *arena.Arena, body []byte, request proto.Message) error {
			return arenapb.UnmarshalOptions{Text: text}.Unmarshal(a, body, request)
		},
		marshal: proto.Marshal,
		marshalStatus: func(code uint64, message string) []byte {
			body := protowire.AppendTag(nil, 1, protowire.VarintType)
			body = protowire.AppendVarint(body, code)
			body = protowire.AppendTag(body, 2, protowire.BytesType)
			return protowire.AppendString(body, message)
		},
	},
	{
		contentType: "application/json",
		unmarshal: func(text arena.Text, a *arena.Arena, body []byte, request proto.Message) error {
			return arenapb.UnmarshalJSONOptions{OTLP: true, Text: text}.Unmarshal(a, body, request)
		},
		marshal: protojson.MarshalOptions{UseEnumNumbers: true}.Marshal, // OTLP demands numbers
		marshalStatus: func(code uint64, message string) []byte {
			body, _ := json.Marshal(struct { // encoding this struct cannot fail
				Code    uint64 `json:"code"`
				Message string `json:"message"`
			}{code, message})
			return body
		},
	},
}

// encodingOf returns the encoding of a request. If OTLP has none for its
// Content-Type, it returns the first encoding, for the response, and an error.
func encodingOf(r *http.Request) (*encoding, error) {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	for i := range encodings {
		if err == nil && t == encodings[i].contentType {
			return &encodings[i], nil
		}
	}
	return &encodings[0], &Error{Status: http.StatusUnsupportedMediaType, Message: "use Content-Type: application/x-protobuf or application/json"}
}
