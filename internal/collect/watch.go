package collect

import (
	"context"
	"time"
)

// watch takes the heap and goroutine profiles between the first and the last of the window, one
// pair after the other. The first that fails ends the watch, so that a service that does not
// answer is not asked again and again. The failure is recorded like any other. over is closed
// when the window is over.
func (c *collector) watch(ctx context.Context, over <-chan struct{}) {
	n := c.plan.Watch
	if n < 3 {
		c.middle(ctx, over)
		return
	}
	tick := time.NewTicker(c.plan.Duration / time.Duration(n-1))
	defer tick.Stop()
	for i := 2; i < n; i++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		// A heap profile allocates, and the collection that follows may free memory of C.
		if m, err := c.local(); err == nil {
			c.meanwhile = append(c.meanwhile, Resident{Taken: m.Taken, Bytes: m.Bytes, Written: m.Written(), pid: m.PID})
		}
		if _, err := c.fetch(ctx, heap, 0); err != nil {
			return
		}
		if c.sparing {
			continue
		}
		if _, err := c.fetch(ctx, goroutine, 0); err != nil {
			return
		}
	}
}

// middle takes a goroutine profile in the middle of the window: with those at its ends, it
// shows whether their number grows.
func (c *collector) middle(ctx context.Context, over <-chan struct{}) {
	half := time.NewTimer(c.plan.Duration / 2)
	defer half.Stop()
	select {
	case <-half.C:
		if !c.sparing {
			c.fetch(ctx, goroutine, 0)
		}
	case <-over: // the service has died
	case <-ctx.Done():
	}
}
