package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/net/netutil"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// Bodies that are small and inflate to much are refused, whatever says that they are
// compressed, and take no more memory than others.
func TestBombs(t *testing.T) {
	h, _ := fleet(t, Access{})
	var bomb bytes.Buffer
	zw := gzip.NewWriter(&bomb)
	for range 128 {
		if _, err := zw.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	for name, push := range map[string]func() int{
		"profile": func() int { return request(h, "POST", "/api/push/shop", bomb.Bytes()).Code },
		"ingest":  func() int { return request(h, "POST", "/ingest?name=shop", bomb.Bytes()).Code },
		"inside": func() int {
			return request(h, "POST", pushRPC, pushMessage(bomb.Bytes(), "service_name", "shop"), "Content-Type", "application/proto").Code
		},
		"around": func() int {
			return request(h, "POST", pushRPC, bomb.Bytes(), "Content-Type", "application/proto", "Content-Encoding", "gzip").Code
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code := push()
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; code != 413 || got > 512<<20 {
			t.Errorf("%s: %d, and %d MiB", name, code, got>>20)
		}
	}
	if w := request(h, "POST", pushRPC, bomb.Bytes(), "Content-Type", "application/proto", "Content-Encoding", "zstd"); w.Code != 415 {
		t.Error(w.Code)
	}
}

const pushRPC = "/push.v1.PusherService/Push"

func TestPushesOfTooMuch(t *testing.T) {
	h, _ := fleet(t, Access{})
	one := pushMessage([]byte("x"), "service_name", "shop")
	var wide []byte
	for range mostProfiles + 1 {
		wide = protowire.AppendBytes(protowire.AppendTag(wide, 2, protowire.BytesType), []byte{1<<3 | 2, 0}) // an empty profile
	}
	profiles := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), wide)
	for name, body := range map[string][]byte{"series": bytes.Repeat(one, mostProfiles+1), "profiles": profiles} {
		if w := request(h, "POST", pushRPC, body, "Content-Type", "application/proto"); w.Code != 400 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// A label that changes with each push does not grow without end, and the page counts
// the refusals.
func TestManySeries(t *testing.T) {
	h, s := fleet(t, Access{})
	data := heap(t)
	for i := range 3 {
		if w := request(h, "POST", fmt.Sprintf("/api/push/shop?instance=%d", i), data); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	for range 2 {
		if w := request(h, "POST", "/api/push/shop?x="+strings.Repeat("y", 300), data); w.Code != 400 {
			t.Fatal(w.Code, w.Body)
		}
	}
	if w := request(h, "GET", "/", nil); !strings.Contains(w.Body.String(), "2 profiles with a name or labels") {
		t.Errorf("%s", w.Body)
	}
	if n := s.Fleet().Store.Refused.Total(); n != 2 {
		t.Error(n)
	}
}

// Markup in any name of a profile is text in the pages.
func TestMarkup(t *testing.T) {
	h, _ := fleet(t, Access{})
	const hostile = `"><img src=x onerror=alert(1)>`
	p := profiletest.NewHeap(0).Heap(1<<30, 1<<30, profiletest.Malloc+hostile+"@/src/"+hostile+".go:7"+profiletest.Main)
	p.TimeNanos = 0
	p.Comments = []string{hostile}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if w := request(h, "POST", "/api/push/shop", b.Bytes()); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	for _, page := range []string{"/", "/service/shop", "/diagnosis/shop", "/flame/shop?kind=inuse_space"} {
		if w := request(h, "GET", page, nil); w.Code != 200 || strings.Contains(w.Body.String(), "<img") {
			t.Errorf("%s: %d", page, w.Code)
		}
	}
}

// pipes is a listener whose connections are in memory, so that their deadlines follow the
// clock of a bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// Who sends a request slowly, and never its end, is cut off.
func TestSlowBodies(t *testing.T) {
	for name, sent := range map[string]string{
		"header": "POST / HTTP/1.1\r\nHost: x\r\n",
		"body":   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbegin",
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			var read error
			go func() {
				ended <- Serve(ctx, l, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					_, read = io.ReadAll(r.Body)
				}))
			}()
			server, client := net.Pipe()
			l.conns <- server
			if _, err := client.Write([]byte(sent)); err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, client) // until the server closes it
			if name == "body" && read == nil {
				t.Errorf("%s: the handler has read a body without an end", name)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// Connections beyond the limit wait until others end, and a listener that closes lets nobody
// wait.
func TestConnectionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &pipes{conns: make(chan net.Conn, 3), done: make(chan struct{})}
		for range 3 {
			server, client := net.Pipe()
			defer client.Close()
			inner.conns <- server
		}
		l := netutil.LimitListener(inner, 2)
		accepted := make(chan net.Conn, 3)
		ended := make(chan error)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					ended <- err
					return
				}
				accepted <- c
			}
		}()
		synctest.Wait()
		if len(accepted) != 2 {
			t.Errorf("%d connections are accepted", len(accepted))
		}
		c := <-accepted
		c.Close()
		c.Close() // once more counts once
		synctest.Wait()
		if len(accepted) != 2 || len(inner.conns) != 0 {
			t.Errorf("%d connections are accepted", len(accepted))
		}
		l.Close()
		if err := <-ended; err != net.ErrClosed {
			t.Error(err)
		}
	})
}
