package diagnose

import "time"

// A clock measures how much of its budget the diagnosis of a target has spent. Compiling
// does not count.
type clock struct {
	budget    time.Duration
	began     time.Time
	compiling time.Duration
}

// The budget's parts. Recordings take the first half. The analysis may continue until
// three quarters are spent. The runs without collections get the rest, at most half.
const (
	recordingPart = 0.5
	analysisPart  = 0.75
)

// longCompile is the time of compiling from which on a note mentions it.
const longCompile = 10 * time.Second

func newClock(budget time.Duration) *clock { return &clock{budget: budget, began: time.Now()} }

// compiled excludes the time of a compilation.
func (c *clock) compiled(took time.Duration) { c.compiling += took }

// left returns the part of the budget that is not spent.
func (c *clock) left() time.Duration { return max(0, c.budget-c.spent()) }

// spent returns the time since the beginning, without compiling.
func (c *clock) spent() time.Duration { return time.Since(c.began) - c.compiling }

// at returns the time at which a part of the budget will be spent.
func (c *clock) at(part float64) time.Time {
	return time.Now().Add(time.Duration(part*float64(c.budget)) - c.spent())
}

// until returns the time at which a part of the budget will be spent, but leaves at least
// some time.
func (c *clock) until(part float64, least time.Duration) time.Time {
	if until := c.at(part); time.Until(until) >= least {
		return until
	}
	return time.Now().Add(least)
}
