// Master updates its metrics again and again, each time with a request of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"
)

type key int

const (
	requestID key = iota
	tenant
)

var updates atomic.Int64

// collect updates the metric of one node.
func collect(ctx context.Context, node int) {
	sample := make([]byte, 1<<10)
	if ctx.Value(tenant) == nil && ctx.Err() == nil {
		updates.Add(int64(len(sample)+node) % 3)
	}
}

// loop collects from all nodes until ctx ends.
func loop(ctx context.Context, every time.Duration) {
	for round := 0; ; round++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		ctx = context.WithValue(ctx, requestID, fmt.Sprintf("metric-%d", round))
		for node := range 4 {
			collect(ctx, node)
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go loop(context.Background(), 500*time.Microsecond)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
