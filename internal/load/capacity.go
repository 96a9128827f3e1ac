package load

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Capacity is how much a server can answer, by a short look.
type Capacity struct {
	Sustained float64 // requests per second that it kept up with
	Broke     float64 // a rate that it did not keep up with; 0 if none was found
}

const (
	// stepLength shows a backlog of one request in twenty, and keeps the
	// search at some ten seconds.
	stepLength = time.Second
	firstRate  = 50 // requests per second: nearly every server keeps up with that
	leastRate  = 1
	// A broken latency is this many times the latency at the first rate, and at least
	// brokenLeast: on a shared machine a hiccup of some tens of milliseconds
	// is nobody's queue.
	brokenFactor = 10
	brokenLeast  = 100 * time.Millisecond
)

// FindCapacity doubles the rate until the server no longer keeps up, and then
// halves the distance once, so that Broke is at most √2 times Sustained. A
// server keeps up with a rate if it answers all but a few of the requests while
// they come, without errors, at a p99 latency near the one at a low rate. A rate
// that breaks is tried twice: it may have been the machine.
func FindCapacity(ctx context.Context, client *Client) (Capacity, error) {
	first, ok, err := Sustains(ctx, client, firstRate, brokenLeast)
	if err != nil {
		return Capacity{}, err
	}
	if !first.mostlyGood() {
		return Capacity{}, fmt.Errorf("%d of %d requests failed, the first with %s", first.Errors,
			first.Sent, first.FirstError)
	}
	limit := brokenLeast
	if slow, known := first.Latency(0.9); known { // so few requests have no p99
		limit = max(limit, brokenFactor*slow)
	}
	return search(ok, func(rate float64) (bool, error) {
		_, ok, err := Sustains(ctx, client, rate, limit)
		if err == nil && !ok {
			_, ok, err = Sustains(ctx, client, rate, limit)
		}
		return ok, err
	})
}

// search goes from firstRate, of which ok says whether the server keeps up
// with it, down or up.
func search(ok bool, try func(rate float64) (bool, error)) (c Capacity, err error) {
	if ok {
		c.Sustained = firstRate
	} else {
		c.Broke = firstRate
	}
	for c.Sustained == 0 {
		rate := c.Broke / 2
		if rate < leastRate {
			return c, fmt.Errorf("the server does not keep up with %d request per second; load something cheaper, or give a rate with -load", leastRate)
		}
		if ok, err = try(rate); err != nil {
			return c, err
		}
		c = c.with(rate, ok)
	}
	for c.Broke == 0 && 2*c.Sustained <= MaxRate {
		rate := 2 * c.Sustained
		if ok, err = try(rate); err != nil {
			return c, err
		}
		c = c.with(rate, ok)
	}
	if c.Broke == 0 {
		return c, nil
	}
	between := c.Sustained * math.Sqrt2
	if ok, err = try(between); err != nil {
		return c, err
	}
	return c.with(between, ok), nil
}

func (c Capacity) with(rate float64, ok bool) Capacity {
	if ok {
		return Capacity{rate, c.Broke}
	}
	return Capacity{c.Sustained, rate}
}

// Sustains puts a rate on for a second and reports the server's answers and whether
// it kept up, with a p99 latency of at most limit.
func Sustains(ctx context.Context, client *Client, rate float64, limit time.Duration) (Phase, bool, error) {
	phases, err := client.run(ctx, []segment{{"step", stepLength, 1, 1}}, rate, nil)
	if err != nil {
		return Phase{}, false, err
	}
	p := phases[0]
	p99, known := p.Latency(0.99)
	return p, p.keptUp() && p.mostlyGood() && (!known || p99 <= limit), nil
}
