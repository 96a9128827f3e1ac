// Search compresses the bodies of its requests to an index.
package main

import (
	"bytes"
	"compress/gzip"
	_ "expvar"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"
)

// compress returns the compressed body of a request.
func compress(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var sent atomic.Int64

func request(i int) error {
	body := fmt.Appendf(nil, `{"query":{"match":{"id":%d}}}`, i)
	c, err := compress(body)
	sent.Add(int64(len(c)))
	return err
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for i := 0; ; i++ {
			if err := request(i); err != nil {
				log.Print(err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
