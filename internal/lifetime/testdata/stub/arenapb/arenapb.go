// Package arenapb declares the part of arenapb that the tests use.
package arenapb

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/heapwright/heapwright/arena"
)

type UnmarshalOptions struct{ Text arena.Text }

func Unmarshal(a *arena.Arena, data []byte, m protoreflect.ProtoMessage) error { return nil }

func (o UnmarshalOptions) Unmarshal(a *arena.Arena, data []byte, m protoreflect.ProtoMessage) error {
	return nil
}

func Promote[M protoreflect.ProtoMessage](m M) M { return m }
