// Forest holds the nodes of a set that was once large.
package main

import (
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

type hash [24]byte

func hashOf(i int) (h hash) {
	for j := range 8 {
		h[j] = byte(i >> (8 * j))
	}
	return h
}

type forest struct {
	positions map[hash]uint64
}

// add adds the nodes from first up to last.
func (f *forest) add(first, last int) {
	for i := first; i < last; i++ {
		f.positions[hashOf(i)] = uint64(i)
	}
}

// spend removes nodes.
func (f *forest) spend(first, last int) {
	for i := first; i < last; i++ {
		delete(f.positions, hashOf(i))
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	f := &forest{positions: map[hash]uint64{}}
	f.add(0, 1_500_000) // the first blocks
	f.spend(0, 1_499_000)
	go func() {
		answers := 0
		for i := 1_500_000; ; i += 10 {
			f.add(i, i+10)
			f.spend(i-1000, i-990)
			answers += len(make([]byte, 8<<10))
			time.Sleep(time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
