// Heapwright says which memory configuration of a Go program is really
// cheaper, and proves it. See the README, or run it with -h.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/heapwright/heapwright/internal/cli"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go interrupt(cancel)
	os.Exit(cli.Main(ctx, cli.Env{Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:]))
}

// interrupt ends the work in good order at the first signal and the process at
// a later one. timeout(1) and some shells send the same signal twice at once,
// which must not lose the measurements.
func interrupt(cancel context.CancelFunc) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	<-signals
	cancel()
	first := time.Now()
	for range signals {
		if time.Since(first) > time.Second {
			os.Exit(1)
		}
	}
}
