package arenapbtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

var (
	samplesEach = flag.Int("samples", 1, "make `N` random messages of each type that is linked, and changed ones of these")
	typesFile   = flag.String("types", "", "write a line of JSON about each type to `FILE`")
	collecting  = flag.Bool("collecting", false, "collect garbage all the time")
)

// A typeResult is the line about one type. bench/arenapb/types reads it.
type typeResult struct {
	Type, Package     string // the package is that of the Go type
	Explained         []string
	Accepted, Refused int // inputs, those in JSON included
	JSON              int
	Differs           bool
}

// Both decoders agree on every type that is linked. The command bench/arenapb/types links
// the types of many modules; docs/results/arenapb-types.md has its figures.
func TestEveryType(t *testing.T) {
	lines := io.Discard
	if *typesFile != "" {
		file, err := os.Create(*typesFile)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() }) // after the subtests
		lines = file
	}
	if *collecting {
		done := make(chan struct{})
		t.Cleanup(func() { close(done) })
		go func() {
			for {
				select {
				case <-done:
					return
				default:
					runtime.GC()
				}
			}
		}()
	}
	var types []protoreflect.MessageType
	protoregistry.GlobalTypes.RangeMessages(func(typ protoreflect.MessageType) bool {
		types = append(types, typ)
		return true
	})
	slices.SortFunc(types, func(x, y protoreflect.MessageType) int {
		return strings.Compare(string(x.Descriptor().FullName()), string(y.Descriptor().FullName()))
	})
	var pool arena.Pool
	var writing sync.Mutex
	for _, typ := range types {
		m := typ.Zero().Interface()
		result := &typeResult{
			Type:    string(typ.Descriptor().FullName()),
			Package: reflect.TypeOf(protoadapt.MessageV1Of(m)).Elem().PkgPath(),
		}
		t.Run(result.Type, func(t *testing.T) {
			t.Parallel()
			defer func() {
				result.Differs = t.Failed()
				line, err := json.Marshal(result)
				if err != nil {
					t.Error(err)
				}
				writing.Lock()
				defer writing.Unlock()
				if _, err := lines.Write(append(line, '\n')); err != nil {
					t.Error(err)
				}
			}()
			result.Explained = arenapb.Explain(m)
			for _, sentence := range result.Explained {
				if strings.HasSuffix(sentence, "is not decoded as by proto.Unmarshal") {
					t.Error(sentence)
				}
			}
			result.decode(t, &pool, m)
		})
	}
}

// count counts an input.
func (x *typeResult) count(accepted bool) {
	if accepted {
		x.Accepted++
	} else {
		x.Refused++
	}
}

// decode decodes random messages of a type, and changed ones, with both decoders.
func (x *typeResult) decode(t *testing.T, pool *arena.Pool, typ proto.Message) {
	name := fnv.New64a()
	name.Write([]byte(x.Type))
	r := rand.New(rand.NewPCG(*seed, name.Sum64()))
	var samples [][]byte
	for range *samplesEach {
		data := sample(r, typ)
		samples = append(samples, data)
		arenas := []*arena.Arena{arena.NewArena(), pool.Get(), pool.Get()}
		for i, text := range texts {
			o := arenapb.UnmarshalOptions{Text: text}
			x.count(agree(t, o, arenas[i], nil, data, typ))
			o.DiscardUnknown = true
			x.count(agree(t, o, arenas[i], nil, data, typ))
			o = arenapb.UnmarshalOptions{Text: text, Merge: true}
			x.count(agree(t, o, arenas[i], data, samples[r.IntN(len(samples))], typ)) // twice the text, overwritten values
			for range 3 {
				x.count(agreeOnChanged(t, r, arenas[i], slices.Clone(samples), typ))
				x.count(agree(t, arenapb.UnmarshalOptions{Text: text, AllowPartial: true}, arenas[i], nil, mutate(r, data), typ))
			}
		}
		cloneAgrees(t, arenas[0], data, typ)
		for _, a := range arenas {
			a.Free()
		}
		x.decodeJSON(t, pool, r, typ)
	}
}

// cloneAgrees compares a copy of a message, whose arena it frees, with the message on the
// heap, and their JSON.
func cloneAgrees(t *testing.T, a *arena.Arena, data []byte, typ proto.Message) {
	want, got := typ.ProtoReflect().New().Interface(), typ.ProtoReflect().New().Interface()
	a.Reset()
	if err := (arenapb.UnmarshalOptions{Text: arena.TextArena, AllowPartial: true}).Unmarshal(a, data, got); err != nil {
		t.Fatal(err)
	}
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(data, want); err != nil {
		t.Fatal(err)
	}
	o := protojson.MarshalOptions{AllowPartial: true}
	gotJSON, err := o.Marshal(got)
	wantJSON, wantErr := o.Marshal(want)
	if (err == nil) != (wantErr == nil) || !bytes.Equal(gotJSON, wantJSON) {
		t.Errorf("%x: JSON is\n%s, %v\nwant %s, %v", data, gotJSON, err, wantJSON, wantErr)
	}
	clone := arenapb.Promote(got)
	a.Reset()
	arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, data, got) // it uses the memory again
	if !same(t, clone, want) {
		t.Errorf("%x: the clone is\n%v\nwant %v", data, clone, want)
	}
}

// decodeJSON decodes a random message in JSON, and changed ones.
func (x *typeResult) decodeJSON(t *testing.T, pool *arena.Pool, r *rand.Rand, typ proto.Message) {
	data := sampleJSON(r, typ)
	for i := 0; data == nil && i < 3; i++ {
		data = sampleJSON(r, typ)
	}
	if data == nil {
		return
	}
	a := pool.Get()
	defer a.Free()
	for _, text := range texts {
		for i := range 4 {
			in := data
			if i > 0 {
				in = mutateJSON(r, data)
			}
			o := arenapb.UnmarshalJSONOptions{Text: text, AllowPartial: i != 1, DiscardUnknown: r.IntN(2) == 0}
			x.count(compareJSON(t, o, a, in, typ))
			x.JSON++
		}
	}
}
