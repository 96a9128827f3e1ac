package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/format"
)

// turn lets one call measure at a time: two would disturb each other's figures.
type turn struct {
	mu    sync.Mutex
	doing string // "" while nobody measures
	since time.Time
}

// take takes the turn until release.
func (t *turn) take(doing string) (release func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.doing != "" {
		return nil, fmt.Errorf("%s has been running for %s, and two measurements at once would disturb each other; "+
			"wait for its answer, or cancel it", t.doing, format.Duration(time.Since(t.since).Round(time.Second)))
	}
	t.doing, t.since = doing, time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.doing = ""
	}, nil
}

// counter numbers things from 1 on.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

const (
	// most is the largest budget of a call in seconds: longer experiments are for people,
	// who have the command line.
	most = 900
	// besides is the time that a call may take beyond its budget, for builds and tests.
	besides = 10 * time.Minute
)

// measure does the work of a call that measures, which gets its turn and a bounded time.
// Its budget is in seconds; 0 is the usual one.
func (s *server) measure(
	ctx context.Context, doing string, budget, usual int, work func(context.Context, time.Duration) error,
) error {
	if budget == 0 {
		budget = usual
	}
	if budget < 1 || budget > most {
		return fmt.Errorf("budget %d: it is in seconds, from 1 to %d; leave it out for %d", budget, most, usual)
	}
	release, err := s.turn.take(doing)
	if err != nil {
		return err
	}
	defer release()
	span := time.Duration(budget) * time.Second
	limited, cancel := context.WithTimeoutCause(ctx, span+besides, errTooLong)
	defer cancel()
	err = work(limited, span)
	switch {
	case ctx.Err() != nil:
		return errors.New("cancelled; call the tool again")
	case context.Cause(limited) == errTooLong:
		return fmt.Errorf("it took longer than %s, builds and tests included; name fewer packages",
			format.Duration(span+besides))
	}
	return err
}

var errTooLong = errors.New("too long")
