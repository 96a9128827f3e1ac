package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
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

// How long a command may take to end after a signal. The output of a go command that
// was killed is waited for during two seconds. A report of 110,000 runs took 19 s on
// two cores that had nine processes each.
const (
	endGrace  = 3 * time.Second
	saveGrace = 2 * time.Minute
)

var errInterrupted = errors.New("interrupted")

// untilInterrupted does a command's work. If the work has not returned some time after the
// context ended, it is abandoned: not every long computation looks at the context,
// and a write to a full pipe cannot.
func untilInterrupted(ctx context.Context, saving *atomic.Bool, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	grace := endGrace
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(grace):
			if grace == saveGrace || !saving.Load() {
				return errInterrupted
			}
			grace = saveGrace
		}
	}
}

// saves says that the command has begun to measure or to change files. From now on an
// interruption leaves it the time to save its measurements and to remove its worktrees.
func (a arguments) saves() { a.saving.Store(true) }
