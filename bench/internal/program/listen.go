package program

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// FreeAddr returns an address of this machine on which nobody listens.
func FreeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Listens waits until somebody listens.
func Listens(ctx context.Context, addr string) error {
	for range 300 { // half a minute
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn.Close()
		}
		if err := Sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("nobody listens at %s", addr)
}

// Get returns the body of an answer, whatever its status.
func Get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(io.LimitReader(resp.Body, 64<<20))
}
