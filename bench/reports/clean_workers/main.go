// Thumbnails are made by sixty-four workers, which wait for jobs most of the time.
package main

import (
	"flag"
	"hash/crc32"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"
)

type job struct {
	id   int
	data []byte
}

var sum atomic.Uint64

// worker does jobs until there are no more.
func worker(jobs <-chan job) {
	for j := range jobs {
		picture := make([]byte, 0, 2*len(j.data))
		picture = append(picture, j.data...)
		picture = append(picture, j.data...)
		sum.Add(uint64(crc32.ChecksumIEEE(picture)))
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	jobs := make(chan job, 256)
	for range 64 {
		go worker(jobs)
	}
	go func() {
		for id := 0; ; id++ {
			jobs <- job{id, make([]byte, 16<<10)}
			if id%40 == 0 {
				time.Sleep(50 * time.Millisecond) // jobs come in bursts
			}
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
