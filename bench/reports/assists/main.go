// Store keeps records in memory and answers bursts of requests. It runs with GOGC=20.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

type record struct {
	key    string
	fields map[string]*string
	next   *record
}

func fill(n int) map[string]*record {
	all := make(map[string]*record, n)
	var last *record
	for i := range n {
		key := fmt.Sprintf("record-%d", i)
		last = &record{key: key, fields: map[string]*string{"name": &key}, next: last}
		all[key] = last
	}
	return all
}

var answers [64][][]byte

// answer renders records for one request.
func answer(r *record, slot int) {
	var out [][]byte
	for i := range 400 {
		row := make([]byte, 0, 1024)
		row = append(row, r.key...)
		out = append(out, fmt.Appendf(row, "/%d", i))
	}
	answers[slot] = out
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	const n = 200_000
	records := fill(n)
	go func() {
		for i := 0; ; i++ {
			var burst sync.WaitGroup
			for slot := range 24 {
				burst.Add(1)
				go func() {
					defer burst.Done()
					answer(records[fmt.Sprintf("record-%d", (i*31+slot)%n)], slot)
				}()
			}
			burst.Wait()
			time.Sleep(80 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
