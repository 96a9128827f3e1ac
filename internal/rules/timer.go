package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var timer = &finding.Rule{
	Name:  "timer",
	Title: "a timer is made each time round",
	Doc: `Finds time.After, NewTimer, NewTicker and AfterFunc: by the call path. In modules of a language before Go 1.23, a
timer is kept until it fires, and a ticker until it is stopped. It is wrong if each timer has its own purpose, such as the
deadline of a request.`,
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
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		f.Title = profile.ShortName(c.Callee) + " makes a timer each time round"
		if reason, keeps := e.Source.KeepsTimers(c.Site.File); keeps {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "kept until they fire, since " + reason, Value: c.Live.Objects, Unit: "count"})
		}
		if fate := finding.Fate(e, c); !fate.Dies {
			f.Remedy = "Reset one timer where it is kept, if only one is waited for at a time, " +
				"instead of making another."
			f.Example = "s.timer.Reset(timeout)"
			if e.Source != nil {
				f.Remedy += " " + finding.Because("The function cannot keep it to itself", "the function can keep it to itself", fate)
			}
		}
	},
}
