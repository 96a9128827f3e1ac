package target

import (
	"context"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/sample"
)

const (
	// share of the rate at which the baseline breaks that the load's peak
	// takes: enough that the collector has work, and far enough from the
	// knee that a mode which costs 1.5 times as much keeps up too.
	share = 0.4
	// slow is the p99 latency from which on a server that was asked for a
	// given rate counts as saturated.
	slow = time.Second
)

// chooseRate returns the rate of the load and notes on it for the user. A rate that
// the user gave is tried on the baseline at the load's peak.
func (t *Server) chooseRate(ctx context.Context, c *Cell, k sample.Key) (rate float64, notes []string, err error) {
	peak := t.Plan.Peak()
	inv := t.Invocation(c, k, c.Binary("", 0), 1)
	_, err = t.serve(ctx, inv, func(ctx context.Context, s *readyServer) error {
		if t.Rate > 0 {
			rate = t.Rate
			phase, ok, err := load.Sustains(ctx, s.client, rate*peak, slow)
			if err == nil && !ok {
				notes = []string{fmt.Sprintf("the baseline may be saturated: of the %d requests of a second at the load's peak it answered %d while they came, %d with an error; give a lower rate than %s, or none to have it chosen",
					phase.Sent, phase.Answered, phase.Errors, format.Digits(rate))}
			}
			return err
		}
		capacity, err := load.FindCapacity(ctx, s.client)
		if err != nil {
			return err
		}
		broke := capacity.Broke
		if broke == 0 {
			broke = capacity.Sustained
		}
		rate = share * broke / peak
		notes = []string{fmt.Sprintf("load: %s requests/s%s; the baseline no longer kept up at %s requests/s",
			format.Digits(rate), t.inStorms(rate), format.Digits(broke))}
		return nil
	})
	return rate, notes, err
}

// inStorms adds the rate of the load's peak, where it is another.
func (t *Server) inStorms(rate float64) string {
	if t.Plan.Peak() <= 1 {
		return ""
	}
	return ", " + format.Digits(rate*t.Plan.Peak()) + " in storms"
}
