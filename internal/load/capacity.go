package load

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Capacity is how much a server can answer, as far as a short look tells.
type Capacity struct {
	Sustained float64 // requests per second that it kept up with
	Broke     float64 // that it did not; 0 if none was found
}

const (
	// stepLength shows a backlog of one request in twenty, and keeps the
	// search at some ten seconds.
	stepLength = time.Second
	firstRate  = 50 // requests per second: nearly every server keeps up with that
	leastRate  = 1
	// broken latency is this many times that of the first rate, and at least
	// brokenLeast: on a shared machine a hiccup of some tens of milliseconds
	// is nobody's queue.
	brokenFactor = 10
	brokenLeast  = 100 * time.Millisecond
)

// FindCapacity doubles the rate until the server no longer keeps up, and then
// halves the distance once, so that Broke is at most √2 times Sustained. A
// server keeps up with a rate if it answers all but a few of the requests while
// they come, without errors, at a p99 latency near that of a low rate. A rate
// that breaks is tried twice: it may have been the machine.
func FindCapacity(ctx context.Context, client *Client) (Capacity, error) {
	first, ok, err := Sustains(ctx, client, firstRate, brokenLeast)
	if err != nil {
		return Capacity{}, err
	}
	limit := brokenLeast
	if slow, known := first.Latency(0.9); known { // of so few requests there is no p99
		limit = max(limit, brokenFactor*slow)
	}
	try := func(rate float64) (bool, error) {
		_, ok, err := Sustains(ctx, client, rate, limit)
		if err == nil && !ok {
			_, ok, err = Sustains(ctx, client, rate, limit)
		}
		return ok, err
	}
	c := Capacity{}
	if !first.mostlyGood() {
		return c, fmt.Errorf("%d of %d requests failed, the first with %s", first.Errors, first.Sent, first.FirstError)
	}
	if ok {
		c.Sustained = firstRate
	}
	for rate := float64(firstRate); !ok; rate /= 2 {
		if rate < leastRate {
			return c, fmt.Errorf("the server does not keep up with %d request per second; load something cheaper, or give -rate", leastRate)
		}
		if ok, err = try(rate / 2); err != nil {
			return c, err
		}
		c = Capacity{rate / 2, rate}
	}
	for c.Broke == 0 && c.Sustained*2 <= MaxRate {
		rate := 2 * c.Sustained
		if ok, err = try(rate); err != nil {
			return c, err
		}
		if ok {
			c.Sustained = rate
		} else {
			c.Broke = rate
		}
	}
	if c.Broke == 0 {
		return c, nil
	}
	between := c.Sustained * math.Sqrt2
	if ok, err = try(between); ok {
		c.Sustained = between
	} else {
		c.Broke = between
	}
	return c, err
}

// Sustains puts a rate on for a second and reports what the server made of it
// and whether it kept up, with a p99 latency of at most limit.
func Sustains(ctx context.Context, client *Client, rate float64, limit time.Duration) (Phase, bool, error) {
	phases, err := client.run(ctx, []segment{{"step", stepLength, 1, 1}}, rate, nil)
	if err != nil {
		return Phase{}, false, err
	}
	p := phases[0]
	p99, known := p.Latency(0.99)
	return p, p.keptUp() && p.mostlyGood() && (!known || p99 <= limit), nil
}
