package arenapbtest

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// failing is a body that breaks off.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Answers to bodies that break off name no address of this side.
func TestOTLPHTTPBrokenBodies(t *testing.T) {
	at := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 4318} }
	reset := &net.OpError{Op: "read", Net: "tcp", Source: at("10.1.2.3"), Addr: at("10.1.2.4"), Err: syscall.ECONNRESET}
	for _, test := range []struct {
		err    error
		status int
		text   string
	}{
		{reset, 400, "the connection broke"},
		{errors.Join(errors.New("reading"), reset), 400, "the connection broke"},
		{&net.OpError{Op: "read", Net: "tcp", Source: at("10.1.2.3"), Addr: at("10.1.2.4"), Err: &net.DNSError{Server: "10.1.2.5"}}, 400, "the connection broke"},
		{io.ErrUnexpectedEOF, 400, "unexpected EOF"},
		{errors.New("no key in /etc/receiver for 10.1.2.3"), 400, "cannot read the request"},
	} {
		for _, encoding := range []string{"", "gzip"} {
			r := httptest.NewRequest("POST", "/", failing{test.err})
			r.Header.Set("Content-Type", "application/x-protobuf")
			r.Header.Set("Content-Encoding", encoding)
			w := httptest.NewRecorder()
			otlphttp.NewHandler(accept, new(arena.Pool), otlphttp.Options{}).ServeHTTP(w, r)
			if body := w.Body.String(); w.Code != test.status || !strings.Contains(body, test.text) || strings.Contains(body, "10.1.") || strings.Contains(body, "/etc") {
				t.Errorf("%v: got %d, %q", test.err, w.Code, body)
			}
		}
	}
}

// A body that does not come in time is answered with 408.
func TestOTLPHTTPLateBody(t *testing.T) {
	handler := otlphttp.NewHandler(accept, new(arena.Pool), otlphttp.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0)); err != nil {
			t.Error(err)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, encoding := range []string{"", "gzip"} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Encoding: "+encoding+"\r\nContent-Length: 20000000\r\n\r\n\x0a")
		answer, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(string(answer), "\r\n\r\n")
		if !strings.HasPrefix(head, "HTTP/1.1 408 ") || !strings.Contains(body, "did not arrive in time") || strings.Contains(body, "127.0.0.1") {
			t.Errorf("%q: got %q", encoding, answer)
		}
	}
}
