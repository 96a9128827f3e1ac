package main

import (
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/bench/internal/contest"
)

// A pdataRequest is a request of the collector.
type pdataRequest interface {
	UnmarshalProto([]byte) error
	MarshalJSON() ([]byte, error)
	UnmarshalJSON([]byte) error
}

// newJSON returns a shape of OTLP's JSON, as the collector's exporter writes it.
func newJSON[T any, M message[T], Q pdataRequest](name, about string, m proto.Message, request func() Q) *contest.Work {
	exported := request()
	if err := exported.UnmarshalProto(encode(m)); err != nil {
		panic(err) // it was encoded here
	}
	data, err := exported.MarshalJSON()
	if err != nil {
		panic(err)
	}
	s := &contest.Work{Name: name, About: about, Data: data}
	s.Add("protojson.Unmarshal, IDs taken for base64", func(data []byte) error {
		return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, M(new(T)))
	})
	pool := new(arena.Pool)
	for _, c := range texts {
		s.Add(c.name, func(data []byte) error {
			a := pool.Get()
			defer a.Free()
			return arenapb.UnmarshalJSONOptions{OTLP: true, Text: c.text}.Unmarshal(a, data, M(new(T)))
		})
	}
	s.Add("arenapb, no arena", func(data []byte) error {
		return arenapb.UnmarshalJSONOptions{OTLP: true}.Unmarshal(nil, data, M(new(T)))
	})
	return s.Add("collector pdata", func(data []byte) error { return request().UnmarshalJSON(data) })
}
