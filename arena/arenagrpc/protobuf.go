package arenagrpc

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// protobuf returns the codec that the program has registered for protobuf, gRPC's own
// or another.
func protobuf() encoding.CodecV2 {
	if c := encoding.GetCodec("proto"); c != nil {
		return bridge{c}
	}
	return encoding.GetCodecV2("proto")
}

// A bridge makes a codec of gRPC's first interface one of the second, as gRPC does
// (codec.go, as of 1.84).
type bridge struct{ encoding.Codec }

func (b bridge) Marshal(v any) (mem.BufferSlice, error) {
	data, err := b.Codec.Marshal(v)
	if err != nil {
		return nil, err
	}
	return mem.BufferSlice{mem.SliceBuffer(data)}, nil
}

func (b bridge) Unmarshal(data mem.BufferSlice, v any) error {
	return b.Codec.Unmarshal(data.Materialize(), v)
}
