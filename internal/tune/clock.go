package tune

import (
	"time"

	"github.com/heapwright/heapwright/internal/result"
)

// A clock measures how much of its budget a tuning has spent. It handles the events of
// the stages, because the time of builds does not count.
type clock struct {
	budget time.Duration
	spent  time.Duration
	next   result.Handler // gets the events afterwards; may be nil

	building time.Time     // start of the current build; zero while nothing is built
	built    time.Duration // time of the builds in the current stage
}

// left returns the part of the budget that is not spent.
func (c *clock) left() time.Duration { return max(0, c.budget-c.spent) }

// stage runs a stage and adds its time to the time spent.
func (c *clock) stage(run func() error) error {
	began := time.Now()
	c.built = 0
	err := run()
	c.built += c.stopBuilding()
	c.spent += time.Since(began) - c.built
	return err
}

// Handle passes an event on.
func (c *clock) Handle(e result.Event) {
	if p, ok := e.(result.Progress); ok {
		switch builds := p.Phase == result.Build && p.Done < p.Total; {
		case !builds:
			c.built += c.stopBuilding()
		case c.building.IsZero():
			c.building = time.Now()
		}
	}
	if c.next != nil {
		c.next.Handle(e)
	}
}

// stopBuilding ends the current build, if there is one, and returns its duration.
func (c *clock) stopBuilding() time.Duration {
	if c.building.IsZero() {
		return 0
	}
	took := time.Since(c.building)
	c.building = time.Time{}
	return took
}
