package arenapbtest

import (
	"io"
	"net"
	"net/http/httptest"
	"runtime"
	"testing"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// allocated returns the bytes that the process allocates while f runs.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A waited listener reports connections that wait for more than their first bytes.
type waited struct {
	net.Listener
	first int
	more  chan<- struct{}
}

type waitedConn struct {
	net.Conn
	left int
	more chan<- struct{}
}

func (l *waited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &waitedConn{c, l.first, l.more}, err
}

func (c *waitedConn) Read(p []byte) (int, error) {
	if c.left == 0 {
		c.more <- struct{}{}
	}
	n, err := c.Conn.Read(p)
	c.left -= n
	return n, err
}

// Requests that announce much and send little take memory for that little.
func TestOTLPHTTPAnnouncedBody(t *testing.T) {
	const protobuf, json = "Content-Type: application/x-protobuf\r\n", "Content-Type: application/json\r\n"
	const length, gzip = "Content-Length: 20000000\r\n", "Content-Encoding: gzip\r\n"
	for name, request := range map[string]string{
		"length":                 protobuf + length + "\r\n\x0a",
		"chunk":                  protobuf + "Transfer-Encoding: chunked\r\n\r\n1312d00\r\n\x0a",
		"JSON":                   json + length + "\r\n{",
		"length of a field":      protobuf + length + "\r\n\x0a\xfc\xac\xc5\x09",
		"gzip":                   protobuf + gzip + length + "\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x00\xff",
		"gzip of an extra field": protobuf + gzip + length + "\r\n\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\xff\xff",
	} {
		t.Run(name, func(t *testing.T) {
			const clients = 200
			request := "POST /v1/traces HTTP/1.1\r\nHost: x\r\n" + request
			more := make(chan struct{}, 2*clients) // each waits again when it is closed
			server := httptest.NewUnstartedServer(otlphttp.NewHandler(accept, new(arena.Pool), otlphttp.Options{}))
			server.Listener = &waited{server.Listener, len(request), more}
			server.Start()
			defer server.Close()
			got := allocated(func() {
				for range clients {
					c, err := net.Dial("tcp", server.Listener.Addr().String())
					if err != nil {
						t.Fatal(err)
					}
					defer c.Close()
					if _, err := io.WriteString(c, request); err != nil {
						t.Fatal(err)
					}
				}
				for range clients {
					<-more
				}
			}) / clients
			// A connection of net/http takes some 15 KiB, a new buffer 4.
			if got > 32<<10 {
				t.Errorf("a waiting request allocated %d bytes", got)
			}
			t.Logf("%d bytes for each waiting request", got)
		})
	}
}
