// Service is a program with one cache or queue. Each shape of them has two twins:
// one that grows for ever and one that is bounded.
//
//	service -addr 127.0.0.1:8080 -shape sessions -twin growing
package main

import (
	_ "expvar"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync/atomic"
)

// shape is a cache or queue. A twin is given the number of each entry.
type shape struct {
	name            string
	growing, steady func(n int)
}

var shapes = []shape{
	{"sessions", growingSessions().open, steadySessions().open},
	{"lru", newLRU(1 << 30).put, newLRU(bound).put},
	{"history", new(growingHistory).record, new(steadyHistory).record},
	{"syncmap", new(growingRequests).begin, new(steadyRequests).begin},
	{"sharded", newGrowingShards().put, newSteadyShards().put},
	{"waiters", new(growingWaiters).ask, new(steadyWaiters).ask},
	{"channel", newGrowingQueue().push, newSteadyQueue().push},
	{"list", new(growingJobs).add, new(steadyJobs).add},
	{"buckets", newGrowingBuckets().count, new(steadyBuckets).count},
	{"intern", newInterned(1 << 40).name, newInterned(bound).name},
}

const (
	bound   = 2000    // entries of a steady twin
	entry   = 2 << 10 // bytes
	entries = 16      // entries in a request
	garbage = 128 << 10
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "listen on `ADDRESS`")
	name := flag.String("shape", "", "which cache or queue")
	twin := flag.String("twin", "", "growing or steady")
	flag.Parse()
	var put func(int)
	for _, s := range shapes {
		if s.name == *name {
			put = map[string]func(int){"growing": s.growing, "steady": s.steady}[*twin]
		}
	}
	if put == nil {
		log.Fatalf("no twin %q of shape %q", *twin, *name)
	}
	var n atomic.Int64
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		answer := make([]byte, garbage)
		for range entries {
			put(int(n.Add(1)))
		}
		fmt.Fprintln(w, len(answer))
	})
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr())
	log.Fatal(http.Serve(l, nil))
}
