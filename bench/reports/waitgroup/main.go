// Godis serves clients, and lets replies in progress end before it closes a connection.
package main

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

// client is the connection of one client.
type client struct {
	out     *bufio.Writer
	pending sync.WaitGroup
}

// reply sends an answer.
func (c *client) reply(b []byte) error {
	c.pending.Add(1)
	if _, err := c.out.Write(b); err != nil {
		return err
	}
	if err := c.out.Flush(); err != nil {
		return err
	}
	c.pending.Done()
	return nil
}

// close waits until all replies are sent, but not longer than limit.
func (c *client) close(limit time.Duration) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.pending.Wait()
	}()
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}

// unreliable breaks every third connection.
type unreliable struct{ id int }

func (u unreliable) Write(b []byte) (int, error) {
	if u.id%3 == 0 {
		return 0, errors.New("connection reset by peer")
	}
	return io.Discard.Write(b)
}

func session(id int) {
	c := &client{out: bufio.NewWriterSize(unreliable{id}, 16<<10)}
	for range 4 {
		if err := c.reply([]byte("+OK\r\n")); err != nil {
			break
		}
	}
	c.close(20 * time.Millisecond)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		for id := 0; ; id++ {
			go session(id)
			time.Sleep(10 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
