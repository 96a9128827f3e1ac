package main

import (
	"sync"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/bench/internal/contest"
)

// message is the type of a pointer to the generated type T.
type message[T any] interface {
	*T
	proto.Message
}

// placement is a contestant of arenapb that puts text somewhere.
type placement struct {
	name string
	text arena.Text
}

// texts are the placements that every input can have.
var texts = []placement{{"**arenapb**", arena.TextHeap}, {"arenapb, text in the arena", arena.TextArena}}

// newShape returns a shape with the contestants that decode any message.
// proto.Unmarshal is the first.
func newShape[T any, M message[T]](name, about string, m proto.Message) *contest.Work {
	s := &contest.Work{Name: name, About: about, Data: encode(m)}
	s.Add("proto.Unmarshal", func(data []byte) error { return proto.Unmarshal(data, M(new(T))) })
	pool := new(arena.Pool)
	for _, c := range append(texts, placement{"arenapb, text aliased", arena.TextAlias}) {
		s.Add(c.name, func(data []byte) error {
			a := pool.Get()
			defer a.Free()
			return arenapb.UnmarshalOptions{Text: c.text}.Unmarshal(a, data, M(new(T)))
		})
	}
	s.Add("arenapb, text in the arena, dropped", func(data []byte) error {
		return arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(new(arena.Pool).Get(), data, M(new(T)))
	})
	addVT[T, M](s)
	typ := hyperpb.CompileMessageDescriptor(M(new(T)).ProtoReflect().Descriptor())
	for _, c := range []struct {
		name  string
		alias bool
	}{{"hyperpb", false}, {"hyperpb, text aliased", true}} {
		shared := new(hyperpb.Shared)
		s.Add(c.name, func(data []byte) error {
			defer shared.Free()
			return shared.NewMessage(typ).Unmarshal(data, hyperpb.WithAllowAlias(c.alias))
		})
	}
	return s
}

func encode(m proto.Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // it was made here
	}
	return data
}

// The methods that vtprotobuf generates. Published code has UnmarshalVT alone.
type (
	plainVT  interface{ UnmarshalPlain([]byte) error }
	vt       interface{ UnmarshalVT([]byte) error }
	pooledVT interface {
		UnmarshalVTUnsafe([]byte) error
		ResetVT()
	}
)

// addVT adds vtprotobuf where the message has its methods.
func addVT[T any, M message[T]](s *contest.Work) {
	switch any(M(nil)).(type) {
	case plainVT:
		s.Add("vtprotobuf", func(data []byte) error { return any(M(new(T))).(plainVT).UnmarshalPlain(data) })
	case vt:
		s.Add("vtprotobuf", func(data []byte) error { return any(M(new(T))).(vt).UnmarshalVT(data) })
	}
	if _, ok := any(M(nil)).(pooledVT); ok {
		pool := sync.Pool{New: func() any { return M(new(T)) }}
		s.Add("vtprotobuf, unsafe, pools", func(data []byte) error {
			m := pool.Get().(pooledVT)
			defer pool.Put(m)
			defer m.ResetVT()
			return m.UnmarshalVTUnsafe(data)
		})
	}
}
