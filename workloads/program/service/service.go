// Package service runs the servers among the workloads: it listens, prints the
// address, and shuts down cleanly on a signal. So a workload holds only the code
// that it is measured for.
package service

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Server serves from Start to Stop.
type Server struct {
	listener net.Listener
	http     *http.Server
	ended    chan error // gets the error if serving ends by itself
}

// Listen takes the address that -addr names; port 0 is a free one.
func Listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w: choose a free port with -addr", err)
	}
	return listener, nil
}

// Start begins to serve. The server closes the listener.
func Start(listener net.Listener, handler http.Handler) *Server {
	s := &Server{
		listener: listener,
		http:     HTTP(handler),
		ended:    make(chan error, 1),
	}
	go func() { s.ended <- s.http.Serve(listener) }()
	return s
}

// Addr is the host and port that it listens on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Wait says where the server is, and returns when ctx is done or with the error
// that ended serving.
func (s *Server) Wait(ctx context.Context, stdout io.Writer) error {
	fmt.Fprintf(stdout, "serving http://%s\n", s.Addr())
	select {
	case err := <-s.ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

// Stop ends the server after the requests under way.
func (s *Server) Stop() error {
	bounded, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.http.Shutdown(bounded); err != nil {
		return fmt.Errorf("requests under way did not end within 10 s: %w", err)
	}
	return nil
}
