// Node keeps an index of claims in memory and answers queries.
package main

import (
	_ "expvar"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

type claim struct {
	name  string
	txids []string
	next  *claim
}

// index makes an index of n claims.
func index(n int) map[string]*claim {
	byName := make(map[string]*claim, n)
	var last *claim
	for i := range n {
		name := fmt.Sprintf("claim-%d", i)
		last = &claim{name: name, txids: []string{fmt.Sprintf("%064x", i)}, next: last}
		byName[name] = last
	}
	return byName
}

var answered atomic.Uint64

// query renders the claims behind one.
func query(c *claim) {
	var reply []byte
	for range 20 {
		reply = append(reply, c.name...)
		reply = append(reply, c.txids[0]...)
		if c = c.next; c == nil {
			break
		}
	}
	answered.Add(uint64(len(reply)))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })

	// Block and transaction processing can cause bursty allocations.
	debug.SetGCPercent(10)

	const n = 250_000
	byName := index(n)
	go func() {
		for i := 0; ; i++ {
			query(byName[fmt.Sprintf("claim-%d", i*7919%n)])
			if i%30 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
