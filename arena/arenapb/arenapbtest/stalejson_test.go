package arenapbtest

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Messages from JSON that are used after their arena was freed show old or new values, as
// those from protobuf do, and new messages are right.
func TestStaleJSON(t *testing.T) {
	if checks || arena.Backend == "goarena" {
		t.Skip("this build stops at the use of freed memory")
	}
	var pool arena.Pool
	r := rand.New(rand.NewPCG(5, 7))
	var stale []proto.Message
	for round := range 60 {
		for _, typ := range messages {
			data := sampleJSON(r, typ)
			if data == nil {
				continue
			}
			a := pool.Get()
			got, want := typ.ProtoReflect().New().Interface(), typ.ProtoReflect().New().Interface()
			if err := (arenapb.UnmarshalJSONOptions{Text: arena.TextArena, AllowPartial: true}).Unmarshal(a, data, got); err != nil {
				t.Fatalf("%.400s: %v", data, err)
			}
			if err := (protojson.UnmarshalOptions{AllowPartial: true}).Unmarshal(data, want); err != nil {
				t.Fatalf("%.400s: %v", data, err)
			}
			if !same(t, got, want) {
				t.Fatalf("%.400s:\ngot  %v\nwant %v", data, got, want)
			}
			a.Free()
			if round%3 == 0 {
				stale = append(stale, got)
			}
			use(stale[r.IntN(len(stale))])
		}
		runtime.GC()
	}
}
