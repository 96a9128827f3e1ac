// Import has just read a large file with three thousand goroutines, and is calm again.
package main

import (
	"flag"
	"hash/fnv"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

var sum atomic.Uint64

// chunk handles one part of the file.
func chunk(i int) {
	data := make([]byte, 64<<10)
	data[i%len(data)] = 1
	time.Sleep(500 * time.Millisecond) // the disk
	h := fnv.New64a()
	h.Write(data)
	sum.Add(h.Sum64())
}

// load reads the file.
func load() {
	var parts sync.WaitGroup
	for i := range 3000 {
		parts.Add(1)
		go func() {
			defer parts.Done()
			chunk(i)
		}()
	}
	parts.Wait()
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for range 3 {
			load()
		}
		for i := 0; ; i++ {
			reply := make([]byte, 24<<10)
			reply[i%len(reply)] = 1
			sum.Add(uint64(reply[0]))
			time.Sleep(2 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
