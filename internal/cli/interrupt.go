package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Interruptible returns a context that ends at the first signal to end, for work to end in
// good order. A later signal ends the process. timeout(1) and some shells send the
// same signal twice at once, which must not lose the measurements.
func Interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		first := time.Now()
		for range signals {
			if time.Since(first) > time.Second {
				os.Exit(exitFailed)
			}
		}
	}()
	return ctx, cancel
}
