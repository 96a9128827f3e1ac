package scrape

import (
	"strconv"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// clock notices that the clock of this machine was set back. The profiles that follow would
// stand between older ones of the same process, and look like restarts of it.
type clock struct {
	last map[string]time.Time // kind → the time of its last entry
	sets int                  // how often the clock was set back
}

// clockLabel is the label of entries after the clock was set back, so that they count as of
// another process.
const clockLabel = "clock"

// stamp sets the time of an entry, which this machine's clock has without its monotonic part.
func (c *clock) stamp(e *store.Entry, now time.Time) {
	e.Time = now.Round(0)
	if e.Time.Before(c.last[e.Kind]) {
		c.sets, c.last = c.sets+1, nil // the other kinds see the same change
	}
	if c.last == nil {
		c.last = map[string]time.Time{}
	}
	c.last[e.Kind] = e.Time
	if c.sets > 0 {
		e.Labels[clockLabel] = strconv.Itoa(c.sets)
	}
}
