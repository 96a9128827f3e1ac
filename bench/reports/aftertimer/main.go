// Cloak receives frames of many short connections, with a time limit for each read.
package main

import (
	"errors"
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

var errTimeout = errors.New("no frame arrived in time")

// pipe holds the bytes that have arrived and are not read yet.
type pipe struct {
	mu      sync.Mutex
	arrived *sync.Cond
	buf     []byte
}

func newPipe() *pipe {
	p := &pipe{buf: make([]byte, 0, 4<<10)}
	p.arrived = sync.NewCond(&p.mu)
	return p
}

func (p *pipe) write(b []byte) {
	p.mu.Lock()
	p.buf = append(p.buf, b...)
	p.mu.Unlock()
	p.arrived.Broadcast()
}

// read waits for a frame.
func (p *pipe) read(b []byte, limit time.Duration) (int, error) {
	deadline := time.Now().Add(limit)
	time.AfterFunc(limit, p.arrived.Broadcast)
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.buf) == 0 {
		if time.Now().After(deadline) {
			return 0, errTimeout
		}
		p.arrived.Wait()
	}
	n := copy(b, p.buf)
	p.buf = p.buf[:copy(p.buf, p.buf[n:])]
	return n, nil
}

var received atomic.Int64

// connection is one short connection.
func connection(frames int) {
	p := newPipe()
	go func() {
		for range frames {
			p.write(make([]byte, 256))
		}
	}()
	b := make([]byte, 256)
	for range frames {
		n, err := p.read(b, 10*time.Minute)
		if err != nil {
			log.Print(err)
			return
		}
		received.Add(int64(n))
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for {
			go connection(5)
			time.Sleep(4 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
