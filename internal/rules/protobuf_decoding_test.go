package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

const decodes = `package main

import (
	"context"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

type Request struct {
	Name string
	Sub  *Request
}

func (r *Request) ProtoReflect() int { return 0 }

var kept *Request

var hook func(*Request)

func handle(data []byte) error {
	var r Request
	err := proto.Unmarshal(data, &r)
	KEEP
	return err
}

func decode(data []byte) (*Request, error) {
	r := new(Request)
	return r, proto.Unmarshal(data, r)
}

func handleJSON(data []byte) error {
	var r Request
	if err := protojson.Unmarshal(data, &r); err != nil {
		return err
	}
	println(r.Name)
	return nil
}

func use(data []byte) int {
	r, _ := decode(data)
	return len(r.Name)
}

type service struct{ last *Request }

func (s *service) Do(ctx context.Context, r *Request) (*Request, error) {
	HANDLE // HANDLER
	return r.Sub, nil
}

func main() {
	handle(nil)
	handleJSON(nil)
	use(nil)
	new(service).Do(nil, nil)
}
`

// decoding is a scene of the program, where handle and the handler of its server do
// something with their messages.
func decoding(t *testing.T, handle, handler string) *scene {
	return newScene(t, strings.NewReplacer("KEEP", handle, "HANDLE //", handler+"//").Replace(decodes))
}

const (
	modules   = "@/home/gopher/go/pkg/mod/google.golang.org/"
	tables    = "google.golang.org/protobuf/internal/impl.(*MessageInfo).unmarshalPointer" + modules + "protobuf@v1.36.12/internal/impl/decode.go:9 "
	ownMethod = "google.golang.org/protobuf/internal/impl.legacyUnmarshal" + modules + "protobuf@v1.36.12/internal/impl/legacy_message.go:9 "
	unmarshal = protoUnmarshal + modules + "protobuf@v1.36.12/proto/decode.go:9"
	reflected = "google.golang.org/protobuf/internal/impl.(*messageState).Set" + modules + "protobuf@v1.36.12/internal/impl/message_reflect_gen.go:9 "

	jsonMessage   = "google.golang.org/protobuf/encoding/protojson.decoder.unmarshalMessage" + modules + "protobuf@v1.36.12/encoding/protojson/decode.go:9 "
	unmarshalJSON = protojsonUnmarshal + modules + "protobuf@v1.36.12/encoding/protojson/decode.go:9"

	codec  = " google.golang.org/grpc/encoding/proto.(*codecV2).Unmarshal" + modules + "grpc@v1.84.0/encoding/proto/proto.go:9 "
	server = "google.golang.org/grpc.(*Server).processUnaryRPC" + modules + "grpc@v1.84.0/server.go:9 "
	client = "google.golang.org/grpc.(*ClientConn).Invoke" + modules + "grpc@v1.84.0/call.go:9 "
)

func TestProtobufDecoding(t *testing.T) {
	const call = "err := proto.Unmarshal"
	t.Run("called by the program", func(t *testing.T) {
		s := decoding(t, "println(r.Name, r.Sub.Name)", "")
		s.churn(tables+unmarshal, s.frame("handle", call))
		f := s.wants("protobuf-decoding", call)
		has(t, f.Title, "garbage of proto.Unmarshal: the messages die in main.handle")
		has(t, f.Example, "arenapb.Unmarshal(a, data, &r)")
		has(t, f.Risk, "arenapb.Promote")
	})
	t.Run("called by a function that returns the message", func(t *testing.T) {
		s := decoding(t, "", "")
		s.churn(tables+unmarshal, s.frame("decode", "return r, proto")+s.frame("use", "decode(data)\n	return"))
		f := s.wants("protobuf-decoding", "return r, proto")
		has(t, f.Remedy, "an arena that main.use begins and ends")
	})
	t.Run("JSON", func(t *testing.T) {
		s := decoding(t, "", "")
		s.churn(reflected+jsonMessage+unmarshalJSON, s.frame("handleJSON", "protojson.Unmarshal"))
		f := s.wants("protobuf-decoding", "protojson.Unmarshal")
		has(t, f.Title, "garbage of protojson.Unmarshal: the messages die in main.handleJSON")
		has(t, f.Remedy, "arenapb.UnmarshalJSON fills the same generated types")
		has(t, f.Example, "arenapb.UnmarshalJSON(a, data, &r)")
	})
	for name, frame := range map[string]string{
		"JSON into dynamic messages": "google.golang.org/protobuf/types/dynamicpb.(*Message).Set" + modules + "protobuf@v1.36.12/types/dynamicpb/dynamic.go:9 ",
		"JSON into a Struct":         reflected + "google.golang.org/protobuf/encoding/protojson.decoder.unmarshalStruct" + modules + "protobuf@v1.36.12/encoding/protojson/well_known_types.go:9 ",
	} {
		t.Run(name, func(t *testing.T) {
			s := decoding(t, "", "")
			s.churn(frame+jsonMessage+unmarshalJSON, s.frame("handleJSON", "protojson.Unmarshal"))
			s.noArena()
		})
	}
	t.Run("a part is kept", func(t *testing.T) {
		s := decoding(t, "kept = r.Sub", "")
		s.churn(tables+unmarshal, s.frame("handle", call))
		s.noArena()
		has(t, s.wants("protobuf-decoding", call).Remedy, "No arena: it is stored in kept at main.go:")
	})
	t.Run("nobody can follow it", func(t *testing.T) {
		s := decoding(t, "hook(&r)", "")
		s.churn(tables+unmarshal, s.frame("handle", call))
		f := s.wants("protobuf-decoding", call)
		has(t, f.Remedy, "which is passed to a function value, which is not followed, at main.go:24. Where they are not: decode into an arena")
		has(t, string(f.Confidence), "low")
	})
	t.Run("messages that survive", func(t *testing.T) {
		s := decoding(t, "", "")
		s.churn(tables+unmarshal, s.frame("handle", call))
		s.heaps[0].Heap(1e6, 8e5, tables+unmarshal+" "+s.frame("handle", call)+start)
		s.noArena()
	})
	t.Run("messages with a method of their own", func(t *testing.T) {
		s := decoding(t, "", "")
		s.churn(ownMethod+unmarshal, s.frame("handle", call))
		s.noArena()
	})
	t.Run("without source", func(t *testing.T) {
		s := decoding(t, "", "").without()
		s.churn(tables+unmarshal, s.frame("handle", call))
		s.call(server, 0)
		s.noArena()
	})
	t.Run("by a gRPC server", func(t *testing.T) {
		s := decoding(t, "", "println(r.Name)")
		s.call(server, 0).churn("runtime.makemap", s.frame("main", "use(nil)"))
		has(t, s.decoding().Example, "arenagrpc.DecodeRequests(&pool)")
	})
	t.Run("by a gRPC server that keeps a request", func(t *testing.T) {
		s := decoding(t, "", "s.last = r.Sub")
		s.call(server, 0).churn("runtime.makemap", s.frame("main", "use(nil)"))
		has(t, s.decoding().Remedy, "the request of x.(*service).Do is kept: it is stored in s.last")
		s.noArena()
	})
	t.Run("by a gRPC server whose requests survive", func(t *testing.T) {
		s := decoding(t, "", "")
		s.call(server, 8e5)
		s.noArena()
	})
	t.Run("by a gRPC client", func(t *testing.T) {
		s := decoding(t, "", "")
		s.call(client, 0)
		s.noArena()
	})
}

// call adds the allocations of a message that gRPC decodes for no line of the
// program's own.
func (s *scene) call(by string, live int64) *scene {
	path := tables + unmarshal + codec + by + "runtime.goexit@/go/src/runtime/asm.s:1"
	s.cpu.CPU(60, profiletest.Malloc+path).CPU(10, s.frame("(*service).Do", "HANDLER")+"runtime.goexit@/go/src/runtime/asm.s:1")
	s.heaps[0].Heap(1e6, live, path)
	return s
}

// decoding returns the finding on the messages that are decoded.
func (s *scene) decoding() finding.Finding {
	s.t.Helper()
	for _, f := range s.find() {
		if f.Rule == "protobuf-decoding" {
			return f
		}
	}
	s.t.Fatal("no finding")
	return finding.Finding{}
}

// noArena fails if a finding proposes to decode into an arena.
func (s *scene) noArena() {
	s.t.Helper()
	for _, f := range s.find() {
		if strings.Contains(f.Remedy+f.Example, "arenapb") || strings.Contains(f.Remedy+f.Example, "arenagrpc") {
			s.t.Errorf("proposes %s\n%s", f.Remedy, f.Example)
		}
	}
}

func TestServersMade(t *testing.T) {
	const file = `package main

import rpc "google.golang.org/grpc"

func plain() { s := rpc.NewServer() }
func some()  { s := rpc.NewServer(a(1), b) }
func all()   { s := rpc.NewServer(opts...) }
func other() { s := grpc.NewServer() }
func coded() { s := rpc.NewServer(rpc.ForceServerCodec(c)) }
func arena() { s := rpc.NewServer(arenagrpc.DecodeRequests(&pool)...) }
`
	want := []string{
		"rpc.NewServer(arenagrpc.DecodeRequests(&pool)...)",
		"rpc.NewServer(append(arenagrpc.DecodeRequests(&pool), a(1), b)...)",
		"rpc.NewServer(append(arenagrpc.DecodeRequests(&pool), opts...)...)",
	}
	name := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(name, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	got := serversMade(filepath.Dir(name))
	if len(got) != len(want) {
		t.Fatalf("%d servers, want %d: %+v", len(got), len(want), got)
	}
	for i, s := range got {
		if s.changed != want[i] || s.line != i+5 {
			t.Errorf("line %d: %s, want %s", s.line, s.changed, want[i])
		}
	}
}
