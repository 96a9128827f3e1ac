// Health checks the dependencies of a service, each with a time limit.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync/atomic"
	"time"
)

// checker is one dependency.
type checker interface{ check(context.Context) error }

var errSlow = errors.New("the check takes too long")

// limited gives a checker a time limit.
type limited struct {
	checker
	limit time.Duration
}

func (l limited) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	result := make(chan error)
	go func() {
		result <- l.checker.check(ctx)
	}()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return errSlow
	}
}

// replica answers slowly now and then.
type replica struct{ asked atomic.Int64 }

func (r *replica) check(context.Context) error {
	if r.asked.Add(1)%3 == 0 {
		time.Sleep(30 * time.Millisecond)
	}
	return nil
}

var good, bad atomic.Int64

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	c := limited{&replica{}, 10 * time.Millisecond}
	go func() {
		for {
			if err := c.check(context.Background()); err != nil {
				bad.Add(1)
			} else {
				good.Add(1)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
