package main

import (
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/bench/internal/contest"
)

// keptMessages is the number of messages that stay alive at a time.
const keptMessages = 32

// A ring keeps the last messages and the arenas that they are in.
type ring struct {
	pool *arena.Pool
	kept [keptMessages]struct {
		message proto.Message
		arena   *arena.Arena
	}
	next int
}

func (r *ring) add(m proto.Message, a *arena.Arena) {
	last := &r.kept[r.next%keptMessages]
	last.arena.Free()
	last.message, last.arena = m, a
	r.next++
}

// newKept returns a shape whose contestants keep their last messages.
func newKept(name, about string, m proto.Message) *contest.Work {
	s := &contest.Work{Name: name, About: about, Data: encode(m), Keeps: keptMessages}
	type request = collector.ExportTraceServiceRequest
	add := func(name string, decode func(r *ring, data []byte) error) {
		r := new(ring)
		s.AddKeeping(name, func(data []byte) error { return decode(r, data) }, func() { *r = ring{pool: new(arena.Pool)} })
	}
	add("proto.Unmarshal", func(r *ring, data []byte) error {
		m := new(request)
		r.add(m, nil)
		return proto.Unmarshal(data, m)
	})
	for _, c := range texts {
		add(c.name, func(r *ring, data []byte) error {
			m, a := new(request), r.pool.Get()
			r.add(m, a)
			return arenapb.UnmarshalOptions{Text: c.text}.Unmarshal(a, data, m)
		})
	}
	add("arenapb, text in the arena, dropped", func(r *ring, data []byte) error {
		m := new(request)
		r.add(m, nil)
		return arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(new(arena.Pool).Get(), data, m)
	})
	add("arenapb, text in the arena, then Promote", func(r *ring, data []byte) error {
		m, a := new(request), r.pool.Get()
		defer a.Free()
		if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, data, m); err != nil {
			return err
		}
		r.add(arenapb.Promote(m), nil)
		return nil
	})
	return s
}
