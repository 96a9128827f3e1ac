// Ingest handles each message in a goroutine of its own, far down a chain of handlers.
package main

import (
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type message struct {
	depth int
	sum   uint64
}

// step is one handler of the chain.
func step(m *message, left int) uint64 {
	var scratch [192]byte
	for i := 0; i < len(scratch); i += 48 {
		scratch[i] = byte(left + i)
	}
	if left == 0 {
		m.depth++
		return m.sum
	}
	return step(m, left-1) + uint64(scratch[left%len(scratch)])
}

var handled atomic.Uint64

func handle(m *message) { handled.Add(step(m, 60)) }

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for {
			var batch sync.WaitGroup
			for range 60 {
				batch.Add(1)
				go func() {
					defer batch.Done()
					handle(new(message))
				}()
			}
			batch.Wait()
			time.Sleep(time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
