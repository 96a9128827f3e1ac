// Command stale uses a message after its arena was freed, in the way that its argument
// names, for the tests of the builds that find such mistakes.
package main

import (
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

var sink any

func main() {
	var pool arena.Pool
	list, err := structpb.NewList([]any{"one", 2.0})
	check(err)
	a := pool.Get()
	m, octets := new(structpb.ListValue), new(wrapperspb.BytesValue)
	decode(a, list, m)
	decode(a, wrapperspb.Bytes([]byte("0123456789abcdef")), octets)
	two := m.Values[1]
	switch os.Args[1] {
	case "fine":
		sink = arenapb.Promote(m)
		a.Free()
	case "read":
		a.Free()
		sink = two.GetKind().(*structpb.Value_NumberValue).NumberValue // the use
	case "list":
		a.Free()
		sink = m.Values[1].Kind // the use
	case "text":
		a.Free()
		octets.Value[3] = 'x' // the use
		pool.Get()
	case "write":
		a.Free()
		two.Kind = nil // the use
		pool.Get()
	case "goroutine":
		done := make(chan bool)
		go func() {
			a.Free()
			done <- true
		}()
		sink = two.Kind // the use
		<-done
	}
}

func decode(a *arena.Arena, from, to proto.Message) {
	data, err := proto.Marshal(from)
	check(err)
	check(arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, data, to))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
