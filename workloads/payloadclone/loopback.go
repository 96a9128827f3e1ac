package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// loopback is a server and a client of it in this process. Its calls may be
// concurrent.
type loopback struct {
	server *grpc.Server
	conn   *grpc.ClientConn
	served chan error
}

// listen starts a server that clones each request the given number of times,
// and connects to it.
func listen(clones int) (*loopback, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("loopback server: %w", err)
	}
	conn, err := grpc.NewClient("passthrough:///"+listener.Addr().String(),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("client of %s: %w", listener.Addr(), err), listener.Close())
	}
	l := &loopback{server: grpc.NewServer(grpc.ForceServerCodecV2(wire{})), conn: conn, served: make(chan error, 1)}
	l.server.RegisterService(&description, &replicator{clones: clones})
	go func() { l.served <- l.server.Serve(listener) }()
	return l, nil
}

// call sends one request and returns the response's payload.
func (l *loopback) call(ctx context.Context, payload []byte) ([]byte, error) {
	response := new(wrapperspb.BytesValue)
	if err := l.conn.Invoke(ctx, method, wrapperspb.Bytes(payload), response); err != nil {
		return nil, fmt.Errorf("request of %d bytes: %w", len(payload), err)
	}
	return response.GetValue(), nil
}

// send sends the payload the given number of times, from as many callers, and
// returns the sum of the responses' check values. It stops at the first error.
func (l *loopback) send(ctx context.Context, payload []byte, requests, callers int) (uint64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan struct{})
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		total uint64
	)
	for range callers {
		wg.Go(func() {
			var sum uint64
			for range todo {
				response, err := l.call(ctx, payload)
				if err != nil {
					cancel(err)
					break
				}
				sum += uint64(binary.LittleEndian.Uint32(response[len(response)-4:]))
			}
			mu.Lock()
			defer mu.Unlock()
			total += sum
		})
	}
feed:
	for range requests {
		select {
		case todo <- struct{}{}:
		case <-ctx.Done():
			break feed
		}
	}
	close(todo)
	wg.Wait()
	return total, context.Cause(ctx)
}

// close stops the server and returns the errors that occurred while it served.
func (l *loopback) close() error {
	err := l.conn.Close()
	l.server.Stop()
	return errors.Join(err, <-l.served)
}
