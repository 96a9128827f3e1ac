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
	status      func(code uint64, message string) []byte // a google.rpc.Status
}

var encodings = []encoding{
	{
		contentType: "application/x-protobuf",
		unmarshal: func(text arena.Text, a *arena.Arena, body []byte, request proto.Message) error {
			return arenapb.UnmarshalOptions{Text: text}.Unmarshal(a, body, request)
		},
		marshal: proto.Marshal,
		status: func(code uint64, message string) []byte {
			status := protowire.AppendTag(nil, 1, protowire.VarintType)
			status = protowire.AppendVarint(status, code)
			status = protowire.AppendTag(status, 2, protowire.BytesType)
			return protowire.AppendString(status, message)
		},
	},
	{
		contentType: "application/json",
		unmarshal: func(text arena.Text, a *arena.Arena, body []byte, request proto.Message) error {
			return arenapb.UnmarshalJSONOptions{OTLP: true, Text: text}.Unmarshal(a, body, request)
		},
		marshal: protojson.MarshalOptions{UseEnumNumbers: true}.Marshal,
		status: func(code uint64, message string) []byte {
			status, _ := json.Marshal(struct { // the struct cannot fail to encode
				Code    uint64 `json:"code"`
				Message string `json:"message"`
			}{code, message})
			return status
		},
	},
}

// encodingOf returns the encoding of a request. If OTLP has none for its
// Content-Type, it returns the first encoding and an error.
func encodingOf(r *http.Request) (*encoding, error) {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	for i := range encodings {
		if err == nil && t == encodings[i].contentType {
			return &encodings[i], nil
		}
	}
	return &encodings[0], &Error{Status: http.StatusUnsupportedMediaType, Message: "use Content-Type: application/x-protobuf or application/json"}
}
