package arenapbtest

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

var inputs = flag.Int("inputs", 0, "decode `N` changed messages with both decoders; by default a few thousand")

// Both decoders agree on messages whose fields were moved, repeated, cut and
// re-encoded. docs/results/arenapb-conformance.md has the figures of a long run.
func TestChangedMessages(t *testing.T) {
	n := *inputs
	if n == 0 {
		n = 20_000
		if checks { // arenas do not reuse memory
			n = 2_000
		}
	}
	var pool arena.Pool
	var accepted, refused atomic.Int64
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		r := rand.New(rand.NewPCG(*seed, uint64(worker)))
		wait.Go(func() {
			samples := make([][][]byte, len(messages)) // by the type
			for i := worker; i < n && !t.Failed(); i += workers {
				kind := r.IntN(len(messages))
				typ := messages[kind]
				if len(samples[kind]) < 20 || r.IntN(50) == 0 {
					samples[kind] = append(samples[kind], sample(r, typ))
				}
				a := pool.Get()
				if agreeOnChanged(t, r, a, samples[kind], typ) {
					accepted.Add(1)
				} else {
					refused.Add(1)
				}
				a.Free()
			}
		})
	}
	wait.Wait()
	t.Logf("%d inputs of %d types: %d accepted, %d refused", accepted.Load()+refused.Load(), len(messages), accepted.Load(), refused.Load())
}

// agreeOnChanged decodes a changed message of a type with both decoders, under random
// options, and reports whether they accept it. An accepted one may take the place of a
// sample, so that changes add up.
func agreeOnChanged(t *testing.T, r *rand.Rand, a *arena.Arena, samples [][]byte, typ proto.Message) bool {
	one := func() []byte { return samples[r.IntN(len(samples))] }
	data := restructure(r, one(), one())
	var before []byte
	o := arenapb.UnmarshalOptions{Text: texts[r.IntN(len(texts))], AllowPartial: r.IntN(3) != 0, DiscardUnknown: r.IntN(8) == 0}
	if r.IntN(8) == 0 {
		o.Merge, before = true, one()
	}
	if r.IntN(16) == 0 {
		o.RecursionLimit = 1 + r.IntN(6)
	}
	accepted := agree(t, o, a, before, data, typ)
	if accepted && len(data) < 2000 {
		samples[r.IntN(len(samples))] = data
	}
	return accepted
}

// maxSample bounds samples in bytes. A type may lead to hundreds of others.
const maxSample = 16 << 10

// sample returns a random message, encoded.
func sample(r *rand.Rand, typ proto.Message) []byte {
	for depth := 1 + r.IntN(4); ; depth-- {
		m := typ.ProtoReflect().New()
		fill(r, m, depth)
		data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
		if err != nil {
			panic(err) // fill makes valid messages
		}
		if len(data) <= maxSample || depth == 0 {
			return data
		}
	}
}

// agree decodes data with both decoders, after the message before if the option is
// to merge, and reports whether they accept it.
func agree(t *testing.T, o arenapb.UnmarshalOptions, a *arena.Arena, before, data []byte, typ proto.Message) bool {
	want, got := typ.ProtoReflect().New().Interface(), typ.ProtoReflect().New().Interface()
	heap := proto.UnmarshalOptions{Merge: o.Merge, AllowPartial: true, DiscardUnknown: o.DiscardUnknown}
	both := o
	both.AllowPartial, both.RecursionLimit = true, 0
	if before != nil {
		if err, wantErr := both.Unmarshal(a, before, got), heap.Unmarshal(before, want); (err == nil) != (wantErr == nil) {
			t.Errorf("%T: %x: got the error %v, want %v", typ, before, err, wantErr)
		}
		if proto.CheckInitialized(want) != nil {
			o.AllowPartial = true // proto.Unmarshal does not look for fields that were missing before
		}
	}
	heap.AllowPartial, heap.RecursionLimit = o.AllowPartial, o.RecursionLimit
	err, wantErr := o.Unmarshal(a, data, got), heap.Unmarshal(data, want)
	switch {
	case (err == nil) != (wantErr == nil):
		t.Errorf("%T, %+v: %x after %x: got the error %v, want %v", typ, o, data, before, err, wantErr)
	case err == nil && !same(t, got, want):
		t.Errorf("%T, %+v: %x after %x:\ngot  %v\nwant %v", typ, o, data, before, got, want)
	}
	return err == nil
}
