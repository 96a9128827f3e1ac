// Broker keeps channels of clients, whose memory a finalizer was to return.
package main

import (
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

type connection struct {
	id      int
	channel *channel
	buf     []byte
}

type channel struct {
	conn *connection
	sent int
}

var open atomic.Int64

// dial opens a connection with its channel.
func dial(id int) *connection {
	c := &connection{id: id, buf: make([]byte, 8<<10)}
	c.channel = &channel{conn: c}
	open.Add(1)
	runtime.SetFinalizer(c, func(*connection) { open.Add(-1) })
	return c
}

func (c *channel) publish(msg string) {
	c.sent += copy(c.conn.buf, msg)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for id := 0; ; id++ {
			c := dial(id)
			for range 3 {
				c.channel.publish("an event of the order book")
			}
			time.Sleep(4 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
