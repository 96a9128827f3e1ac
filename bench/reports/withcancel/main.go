// Policy runs calls of a service with a time limit for each.
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

var errTimeout = errors.New("the call takes too long")

// timeout is the policy that ends a call after a limit.
type timeout struct{ limit time.Duration }

func (t timeout) run(parent context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(parent)
	timer := time.AfterFunc(t.limit, func() { cancel(errTimeout) })
	err := call(ctx)
	if timer.Stop() {
		return err
	}
	return context.Cause(ctx)
}

type requestKey struct{}

type request struct {
	id   int
	body [1500]byte
}

var answered atomic.Int64

// answer is the service.
func answer(ctx context.Context) error {
	r := ctx.Value(requestKey{}).(*request)
	reply := make([]byte, 6<<10)
	copy(reply, r.body[:])
	answered.Add(int64(r.id % 2))
	return ctx.Err()
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	root, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		t := timeout{5 * time.Second}
		for id := 0; ; id++ {
			err := t.run(root, func(ctx context.Context) error {
				return answer(context.WithValue(ctx, requestKey{}, &request{id: id}))
			})
			if err != nil {
				log.Print(err)
			}
			if id%4 == 0 {
				time.Sleep(2 * time.Millisecond)
			}
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
