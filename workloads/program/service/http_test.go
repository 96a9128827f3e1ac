package service

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// one is a listener of one connection.
type one struct {
	conn chan net.Conn
	net.Listener
}

func (l one) Accept() (net.Conn, error) {
	c, ok := <-l.conn
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (l one) Close() error { return nil }

// Clients that send slowly, or nothing, lose their connection.
func TestSlowClients(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nHost: x\r\n"
	for name, test := range map[string]struct {
		first, again string // again is sent once a second
		within       time.Duration
	}{
		"nothing":        {"", "", 10 * time.Second},
		"slow header":    {head, "X: y\r\n", 10 * time.Second},
		"slow body":      {head + "Content-Length: 20000000\r\n\r\n", "x", 5 * time.Minute},
		"slow chunks":    {head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", 5 * time.Minute},
		"nothing more":   {head + "Content-Length: 0\r\n\r\n", "", 2 * time.Minute},
		"a large header": {head + strings.Repeat("X: "+strings.Repeat("y", 1<<10)+"\r\n", 100), "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				l := one{conn: make(chan net.Conn, 1)}
				l.conn <- theirs
				server := HTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
				go server.Serve(l)
				defer close(l.conn)
				var client sync.WaitGroup
				defer client.Wait()
				defer ours.Close()
				client.Go(func() {
					for next := test.first; next != ""; next = test.again {
						if _, err := io.WriteString(ours, next); err != nil {
							return
						}
						time.Sleep(time.Second) // of the bubble's clock
					}
				})
				began := time.Now()
				defer time.AfterFunc(test.within+time.Minute, func() { ours.Close() }).Stop()
				io.Copy(io.Discard, bufio.NewReader(ours))
				if took := time.Since(began); took > test.within+time.Second {
					t.Errorf("the connection lasted %v, want %v", took, test.within)
				}
			})
		})
	}
}
