// Gateway remembers, for each connection, the bytes that its handshake left over.
package main

import (
	"bytes"
	"flag"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

const frameLimit = 64 << 10

var open [1200]*conn

// conn is an accepted connection.
type conn struct {
	id    int
	extra []byte // sent by the peer behind its handshake
}

// handshake reads the first frame of a connection.
func handshake(id int, r io.Reader) (*conn, error) {
	frame := make([]byte, frameLimit)
	n, err := r.Read(frame)
	if err != nil {
		return nil, err
	}
	_, extra, _ := bytes.Cut(frame[:n], []byte("\n"))
	return &conn{id: id, extra: extra}, nil
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for id := 0; ; id++ {
			c, err := handshake(id, bytes.NewReader([]byte("hello, I am 7\nping")))
			if err != nil {
				log.Fatal(err)
			}
			open[id%len(open)] = c
			if id > len(open) {
				time.Sleep(5 * time.Millisecond)
			}
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
