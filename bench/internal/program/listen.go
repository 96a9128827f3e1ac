package program

import (
	"context"
	"fmt"
	"net"
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
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fmt.Errorf("nobody listens at %s", addr)
}
