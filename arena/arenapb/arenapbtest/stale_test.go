package arenapbtest

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// A message that is used after its arena was freed shows old or new values, and
// the collector finds nothing wrong with either.
func TestStaleMessages(t *testing.T) {
	if checks || arena.Backend == "goarena" {
		t.Skip("this build stops at the use of freed memory")
	}
	var pool arena.Pool
	r := rand.New(rand.NewPCG(5, 6))
	var stale []proto.Message
	for round := range 60 {
		for _, typ := range messages {
			m := typ.ProtoReflect().New()
			fill(r, m, 3)
			data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
			if err != nil {
				t.Fatal(err)
			}
			a := pool.Get()
			if decoded := compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, data, typ); round%3 == 0 {
				stale = append(stale, decoded)
			}
			a.Free()
			if len(stale) > 0 {
				use(stale[r.IntN(len(stale))])
			}
		}
		runtime.GC()
	}
}

// use reads all of a stale message, and writes to it. Both may panic.
func use(m proto.Message) {
	defer func() { recover() }()
	proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	for i := range m.ProtoReflect().Descriptor().Fields().Len() {
		m.ProtoReflect().Clear(m.ProtoReflect().Descriptor().Fields().Get(i))
	}
	runtime.KeepAlive(proto.Clone(m))
}
