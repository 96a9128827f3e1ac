package main

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// atOnce bounds the requests that one process has to answer at the same time.
const atOnce = 50

// load sends requests at random times, whether or not earlier ones are answered.
func load(ctx context.Context, url string, perSecond float64, rng *rand.Rand) {
	slots := make(chan struct{}, atOnce)
	for due := time.Now(); ; {
		due = due.Add(time.Duration(rng.ExpFloat64() / perSecond * 1e9))
		timer := time.NewTimer(time.Until(due))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		select {
		case slots <- struct{}{}:
			go func() {
				defer func() { <-slots }()
				_, _ = program.Get(ctx, url) // the service counts the ones that it answered
			}()
		case <-ctx.Done():
			return
		}
	}
}
