// Executor answers state queries from a remote query service over gRPC.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	pb "google.golang.org/grpc/health/grpc_health_v1"
)

// provider hands out clients of the query service.
type provider struct{ target string }

func (p *provider) queries() (pb.HealthClient, error) {
	conn, err := grpc.NewClient(p.target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	return pb.NewHealthClient(conn), nil
}

type executor struct {
	provider *provider
	answered atomic.Int64
}

func (e *executor) query(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	client, err := e.provider.queries()
	if err != nil {
		return err
	}
	if _, err := client.Check(ctx, &pb.HealthCheckRequest{}); err != nil {
		return err
	}
	e.answered.Add(1)
	return nil
}

func serve(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s := grpc.NewServer()
	pb.RegisterHealthServer(s, health.NewServer())
	return s.Serve(l)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	role := flag.String("role", "executor", "executor or queries")
	upstream := flag.String("upstream", "", "address of the query service")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	if *role == "queries" {
		log.Fatal(serve(*addr))
	}
	e := &executor{provider: &provider{target: *upstream}}
	go func() {
		for {
			if err := e.query(context.Background()); err != nil {
				log.Print(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
