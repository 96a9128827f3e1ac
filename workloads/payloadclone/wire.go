package main

import (
	"fmt"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// message is a request or response: protobuf's BytesValue, so that the client
// needs no code of its own, whose bytes lie in the memory of the request.
type message struct {
	value []byte
	mem   memory
}

// valueField is the number of the only field of a BytesValue.
const valueField = 1

// wire is the server's codec, wherever the clones live. It decodes a request
// straight into the request's memory, and ends that when the response has been
// encoded, which is the last that is done to either.
type wire struct{}

// Name is the name of the codec it stands for.
func (wire) Name() string { return "proto" }

// Marshal encodes a response and frees its memory.
func (wire) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*message)
	if !ok {
		return nil, fmt.Errorf("encode a response: got a %T, want a *message", v)
	}
	defer m.mem.free()
	pool := mem.DefaultBufferPool()
	b := pool.Get(protowire.SizeTag(valueField) + protowire.SizeBytes(len(m.value)))
	*b = protowire.AppendTag((*b)[:0], valueField, protowire.BytesType)
	*b = protowire.AppendBytes(*b, m.value)
	return mem.BufferSlice{mem.NewBuffer(b, pool)}, nil
}

// Unmarshal decodes a request. It skips fields that it does not know.
func (wire) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*message)
	if !ok {
		return fmt.Errorf("decode a request: got a %T, want a *message", v)
	}
	buffer := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buffer.Free()
	for b := buffer.ReadOnlyData(); len(b) > 0; {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return fmt.Errorf("decode a request: %w", protowire.ParseError(n))
		}
		b = b[n:]
		if n = protowire.ConsumeFieldValue(field, kind, b); n < 0 {
			return fmt.Errorf("decode a request: %w", protowire.ParseError(n))
		}
		if field == valueField && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(b)
			m.value = m.mem.bytes(value)
		}
		b = b[n:]
	}
	return nil
}
