package arenagrpc

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // as servers do that accept compressed messages
	"google.golang.org/grpc/stats"

	"github.com/heapwright/heapwright/arena"
)

// calls counts the calls that have ended.
type calls struct{ ended chan struct{} }

func (calls) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }
func (c calls) HandleRPC(_ context.Context, s stats.RPCStats) {
	if _, ok := s.(*stats.End); ok {
		c.ended <- struct{}{}
	}
}
func (calls) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (calls) HandleConn(context.Context, stats.ConnStats)                       {}

// frame is a message with gRPC's prefix, which announces n bytes.
func frame(compressed byte, n int, data []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{compressed}, uint32(n)), data...)
}

// send makes a call of those bytes without gRPC's client, and returns its status.
func send(t *testing.T, client *http.Client, address string, body []byte) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/test/Unary", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}, "Grpc-Encoding": {"gzip"}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
	if s := answer.Trailer.Get("Grpc-Status"); s != "" {
		return s
	}
	return answer.Header.Get("Grpc-Status")
}

// A message takes memory for its bytes, whatever its prefix and its fields announce,
// and for no more than the limit when it is decompressed.
func TestAnnouncedMessages(t *testing.T) {
	const limit = 1 << 20
	zip := func(data []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		return b.Bytes()
	}
	// Behind a field that makes the message large enough for an arena.
	field := append(append([]byte{0x0a, 0x80, 0x08}, make([]byte, 1<<10)...), 0x0a, 0xfc, 0xac, 0xc5, 0x09, 0)
	zeros, empty := zip(make([]byte, limit/4)), zip(nil)
	compressed := func(data []byte) []byte { return frame(1, len(data), data) }
	for _, test := range []struct {
		name   string
		body   []byte
		calls  int
		status string
		most   uint64 // bytes for each call
	}{
		{"prefix", frame(0, limit, []byte{'\x0a'}), 200, "13", 64 << 10},
		{"prefix above the limit", frame(0, 1<<31, []byte{'\x0a'}), 200, "8", 64 << 10},
		{"field", frame(0, len(field), field), 200, "13", 64 << 10},
		{"bomb", compressed(zip(make([]byte, 8*limit))), 5, "8", 10 * limit},
		{"members", compressed(bytes.Repeat(zeros, 400)), 5, "8", 10 * limit},
		{"empty members", compressed(bytes.Repeat(empty, limit/len(empty))), 5, "0", 10 * limit},
	} {
		for _, name := range []string{"stats handler", "outermost"} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				listener, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				ended := calls{make(chan struct{}, test.calls)}
				var pool arena.Pool
				var handled atomic.Int32
				options := ServerOptions{NoStatsHandler: name == "outermost"}.DecodeRequests(&pool)
				server := grpc.NewServer(append(options, grpc.MaxRecvMsgSize(limit), grpc.StatsHandler(ended))...)
				server.RegisterService(description(func(context.Context, *message) (*message, error) {
					handled.Add(1)
					return new(message), nil
				}, answerAll), struct{}{})
				go server.Serve(listener)
				defer server.Stop()
				transport := &http.Transport{Protocols: new(http.Protocols)}
				transport.Protocols.SetUnencryptedHTTP2(true)
				defer transport.CloseIdleConnections()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range test.calls {
					if got := send(t, &http.Client{Transport: transport}, listener.Addr().String(), test.body); got != test.status {
						t.Fatalf("got the status %s, want %s", got, test.status)
					}
					<-ended.ended
				}
				runtime.ReadMemStats(&after)
				if got := (after.TotalAlloc - before.TotalAlloc) / uint64(test.calls); got > test.most {
					t.Errorf("a call allocated %d bytes, more than %d", got, test.most)
				}
				if want := test.status == "0"; handled.Load() > 0 != want {
					t.Errorf("%d calls reached the handler", handled.Load())
				}
			})
		}
	}
}
