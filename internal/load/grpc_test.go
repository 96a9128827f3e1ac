package load

import (
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

const healthProto = `syntax = "proto3";
package grpc.health.v1;
import "google/protobuf/empty.proto";
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse { int32 status = 1; }
service Health {
  rpc Check(HealthCheckRequest) returns (HealthCheckResponse);
  rpc Watch(HealthCheckRequest) returns (stream HealthCheckResponse);
}
`

// grpcServer serves grpc.health.v1.Health, of which the state of two services
// is known, and returns its port.
func grpcServer(t *testing.T, describes bool) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, state := grpc.NewServer(), health.NewServer()
	state.SetServingStatus("one", grpc_health_v1.HealthCheckResponse_SERVING)
	grpc_health_v1.RegisterHealthServer(server, state)
	if describes {
		reflection.Register(server)
	}
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return l.Addr().(*net.TCPAddr).Port
}

func TestGRPC(t *testing.T) {
	dir := folder(t, map[string]string{
		"health.proto": healthProto,
		"one":          `{"service":"one"}`,
		"two":          `[{"service":"one"}, {"service":"two"}]`,
	})
	plan, err := Plan{Warmup: -1, Duration: 200 * time.Millisecond}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		grpc   GRPC
		errors int // of 20
	}{
		{"by reflection", GRPC{Method: "grpc.health.v1.Health/Check"}, 0},
		{"by a file", GRPC{Method: "grpc.health.v1.Health/Check", Proto: "health.proto", Data: "one"}, 0},
		{"messages in turn", GRPC{Method: "/grpc.health.v1.Health/Check", Data: "two"}, 10},
	} {
		r, err := Source{URL: "http://127.0.0.1:{port}", GRPC: &c.grpc}.Read(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		client, err := r.Open(t.Context(), grpcServer(t, c.grpc.Proto == ""))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := client.Try(t.Context()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		phases, err := Run(t.Context(), client, plan, 100, nil)
		client.Close()
		if err != nil || phases[0].Sent != 20 || phases[0].Errors != c.errors {
			t.Errorf("%s: %+v, %v", c.name, phases, err)
		}
		if c.errors > 0 && !strings.HasSuffix(phases[0].FirstError, "grpc.health.v1.Health/Check: NotFound: unknown service") {
			t.Errorf("%s: first error %q", c.name, phases[0].FirstError)
		}
	}
}

// How long a reply may be is the server's affair.
func TestLongReply(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.ForceServerCodec(rawCodec{}), grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		var message []byte
		if err := s.RecvMsg(&message); err != nil {
			return err
		}
		return s.SendMsg(make([]byte, 5<<20))
	}))
	go server.Serve(l)
	t.Cleanup(server.Stop)
	to := &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/files.Files/Get"}
	c, err := dial(to)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to.String(), strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := c.RoundTrip(request); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("a reply of 5 MiB: %+v, %v", answer, err)
	}
}

func TestBadGRPC(t *testing.T) {
	dir := folder(t, map[string]string{
		"health.proto": healthProto, "broken.proto": "message", "broken": "{", "none": "[]", "number": "3",
		"field": `{"servise":"one"}`,
	})
	const check = "grpc.health.v1.Health/Check"
	for _, c := range []struct {
		grpc GRPC
		want string
	}{
		{GRPC{Method: "Check"}, `"Check" is no gRPC method; write it as package.Service/Method`},
		{GRPC{Method: check, Data: "gone"}, "the messages of calls: stat "},
		{GRPC{Method: check, Data: "broken"}, "broken: message 1: unexpected end"},
		{GRPC{Method: check, Data: "none"}, "none: an empty array"},
		{GRPC{Method: check, Data: "number"}, "number: message 1: "},
		{GRPC{Method: check, Proto: "gone.proto"}, "gone.proto"},
		{GRPC{Method: check, Proto: "broken.proto"}, "broken.proto:1:"},
		{GRPC{Method: "Health/Check", Proto: "health.proto"}, "there is no service Health in "},
		{GRPC{Method: "grpc.health.v1.Health/Chek", Proto: "health.proto"}, "has no method Chek"},
		{GRPC{Method: "grpc.health.v1.Health/Watch", Proto: "health.proto"}, "is a stream; only unary methods can be loaded"},
		{GRPC{Method: check, Proto: "health.proto", Data: "field"}, `message 1 for ` + check + `:`},
	} {
		if _, err := (Source{URL: "http://h", GRPC: &c.grpc}).Read(t.Context(), dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.grpc, err, c.want)
		}
	}
	r, err := Source{URL: "http://127.0.0.1:{port}", GRPC: &GRPC{Method: check}}.Read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open(t.Context(), grpcServer(t, false)); err == nil || !strings.Contains(err.Error(), "give -load proto=FILE") {
		t.Errorf("a server that does not describe itself: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	if _, err := r.Open(t.Context(), port); err == nil || !strings.Contains(err.Error(), strconv.Itoa(port)) {
		t.Errorf("no server: %v", err)
	}
}

func FuzzMessages(f *testing.F) {
	for _, s := range []string{`{}`, `[{"a":1},{}]`, `[`, `3`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if all, err := splitMessages(data); err == nil && len(all) == 0 {
			t.Fatalf("no message in %q, and no error", data)
		}
	})
}
