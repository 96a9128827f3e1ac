package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"

	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection"

	"github.com/heapwright/heapwright/workloads/program/service"
)

// A receiver is a variant.
type receiver struct {
	counts *counts
	grpc   *grpc.Server
	// Handlers of OTLP/HTTP.
	traces, metrics, logs http.Handler
}

// server serves a receiver over HTTP, gRPC or both.
type server struct {
	receiver
	http  *service.Server // nil if HTTP is not served
	calls net.Listener    // nil if gRPC is not served
	ended chan error      // gets the error if gRPC ends by itself
}

func start(r receiver, httpAddr, grpcAddr string) (*server, error) {
	s := &server{receiver: r, ended: make(chan error, 1)}
	if grpcAddr != "" {
		listener, err := service.Listen(grpcAddr)
		if err != nil {
			return nil, err
		}
		s.calls = listener
		reflection.Register(r.grpc)
		go func() { s.ended <- r.grpc.Serve(listener) }()
	}
	if httpAddr != "" {
		listener, err := service.Listen(httpAddr)
		if err != nil {
			r.grpc.Stop()
			return nil, err
		}
		s.http = service.Start(listener, r.routes())
	}
	return s, nil
}

func (r *receiver) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/v1/traces", r.traces)
	mux.Handle("/v1/metrics", r.metrics)
	mux.Handle("/v1/logs", r.logs)
	mux.HandleFunc("GET /counts", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(r.counts.snapshot())
	})
	return mux
}

// wait prints the addresses and returns when ctx is done or serving has ended.
func (s *server) wait(ctx context.Context, stdout io.Writer) error {
	if s.calls != nil {
		fmt.Fprintf(stdout, "serving grpc://%s\n", s.calls.Addr())
	}
	if s.http != nil {
		return s.http.Wait(ctx, stdout)
	}
	select {
	case err := <-s.ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

// stop ends the server after the requests under way.
func (s *server) stop() error {
	s.grpc.GracefulStop()
	if s.http == nil {
		return nil
	}
	return s.http.Stop()
}
