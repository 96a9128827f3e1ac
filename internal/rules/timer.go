package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
)

var timer = &Rule{
	Name:  "timer",
	Title: "a timer is made each time round",
	Doc: `Looks for time.After, NewTimer, NewTicker and AfterFunc, by the call path. Before Go 1.23, a timer of time.After
was kept until it fired. It is wrong where each timer is its own: a deadline of a request.`,
	Remedy: "Make one timer before the loop and Reset it.",
	Example: `timer := time.NewTimer(timeout)
defer timer.Stop()
for {
	timer.Reset(timeout)
	select {
	case v := <-in:
		use(v)
	case <-timer.C:
		return errTimeout
	}
}`,
	Risk:    "Before Go 1.23, a timer has to be stopped and its channel drained before Reset.",
	Callees: []string{"time.After", "time.NewTimer", "time.NewTicker", "time.Tick", "time.newTimer"},
	Saves:   evidence.Range{Low: 0.7, High: 1},
	Work:    1,
	Words: func(e *evidence.Evidence, c *Cause, f *Finding) {
		f.Title = shortName(c.Callee) + " makes a timer each time round"
		if fate := fate(e, c); !fate.Dies {
			f.Remedy = "Reset one timer where it is kept, if only one is waited for at a time, instead of making another."
			f.Example = "s.timer.Reset(timeout)"
			if e.Source != nil && !fate.Unknown {
				f.Remedy += " The function cannot keep it to itself: " + fate.Kept + "."
			}
		}
	},
}
