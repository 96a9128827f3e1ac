package tune

import (
	"time"

	"github.com/heapwright/heapwright/internal/result"
)

// clock counts the time that the stages of a tuning take against its budget. It
// follows their events, because building does not count.
type clock struct {
	budget time.Duration
	spent  time.Duration
	next   result.Handler // of the events; may be nil

	building time.Time // since when; zero while nothing is built
	built    time.Duration
}

// left is the part of the budget that is not spent.
func (c *clock) left() time.Duration { return max(0, c.budget-c.spent) }

// stage carries out a stage and counts it.
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

// stopBuilding returns for how long the target was built until now.
func (c *clock) stopBuilding() time.Duration {
	if c.building.IsZero() {
		return 0
	}
	took := time.Since(c.building)
	c.building = time.Time{}
	return took
}
