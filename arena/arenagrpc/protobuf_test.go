package arenagrpc

import (
	"bytes"
	"testing"

	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A first is a codec of gRPC's first interface.
type first struct{}

func (first) Name() string                       { return "proto" }
func (first) Marshal(v any) ([]byte, error)      { return proto.Marshal(v.(proto.Message)) }
func (first) Unmarshal(data []byte, v any) error { return proto.Unmarshal(data, v.(proto.Message)) }

// Programs may replace gRPC's codec by one of the older interface, as vtprotobuf tells
// them to.
func TestReplacedCodec(t *testing.T) {
	original := encoding.GetCodecV2("proto")
	encoding.RegisterCodec(first{})
	t.Cleanup(func() { encoding.RegisterCodecV2(original) })
	for _, d := range []ServerOptions{{}, {NoStatsHandler: true}} {
		a := arena.NewArena()
		client, stop := serve(t, description(answer, answerAll), d.DecodeRequests(new(arena.Pool))...)
		for _, n := range []int{1, 2 * minSize} {
			request, response := wrapperspb.Bytes(bytes.Repeat([]byte("x"), n)), new(message)
			err := client.Invoke(t.Context(), "/test/Unary", request, response, Into(a))
			if err != nil || !isRepeated(response.Value, request.Value) {
				t.Errorf("%+v: %d bytes, %v", d, len(response.Value), err)
			}
		}
		stop(2)
		a.Free()
	}
}
