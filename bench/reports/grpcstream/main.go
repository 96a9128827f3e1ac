// Sandbox asks a peer, before it starts each build, whether the peer is ready.
package main

import (
	"context"
	"flag"
	"fmt"
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

type peers struct {
	client pb.HealthClient
	ready  atomic.Int64
}

// check returns nil if the peer serves.
func (p *peers) check(ctx context.Context) error {
	stream, err := p.client.Watch(ctx, &pb.HealthCheckRequest{})
	if err != nil {
		return err
	}
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	if first.Status != pb.HealthCheckResponse_SERVING {
		return fmt.Errorf("peer is %v", first.Status)
	}
	p.ready.Add(1)
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
	role := flag.String("role", "sandbox", "sandbox or peer")
	upstream := flag.String("upstream", "", "address of the peer")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	if *role == "peer" {
		log.Fatal(serve(*addr))
	}
	conn, err := grpc.NewClient(*upstream, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	p := &peers{client: pb.NewHealthClient(conn)}
	go func() {
		ctx := context.Background()
		for {
			if err := p.check(ctx); err != nil {
				log.Print(err)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
