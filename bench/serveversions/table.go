package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/serve/versus"
	"github.com/heapwright/heapwright/internal/verdict"
)

// fault is a line that costs more in the newer version.
type fault struct {
	metric, function string
	more             float64
}

func (f fault) id() string { return f.metric + " " + f.function }

var planted = []fault{{"cpu", "main.(*shop).price", moreCPU}, {"alloc_space", "main.(*shop).note", moreBytes}}

//go:embed page.tmpl
var text string

func (m *measurement) page() string {
	others := maps.Clone(m.reported)
	var lines []string
	for _, p := range planted {
		lines = append(lines, m.row(p))
		delete(others, p.id())
	}
	share := func(v float64) string { return fmt.Sprintf("%.0f%%", 100*v) }
	return page.Head("serveversions", "serveversions.md", "Two versions side by side, in real time", page.Fill(text, struct {
		*measurement
		Later                       time.Duration
		CoresUsed                   float64
		MoreCPU, MoreBytes, Already string
		PerRequest                  bool
		Lines                       []string
		Others                      string
	}{
		measurement: m,
		Later:       2 * m.Every, CoresUsed: m.used / (m.Duration + m.Every).Seconds(),
		MoreCPU: share(moreCPU), MoreBytes: share(moreBytes), Already: share(already),
		PerRequest: perWork(m.Last.CPU) && perWork(m.Last.Bytes),
		Lines:      lines, Others: strings.Join(slices.Sorted(maps.Keys(others)), ", "),
	}))
}

func perWork(c *versus.Comparison) bool { return c != nil && c.PerWork }

// row compares a planted line with the answer of serve.
func (m *measurement) row(f fault) string {
	alarm := "none"
	if after, ok := m.reported[f.id()]; ok {
		alarm = after.Round(time.Second).String()
	}
	measured, interval, said := "", "", "not compared"
	if c, compared := m.change(f); c == nil && compared {
		said = string(verdict.Same)
	} else if c != nil {
		measured, interval = format.Change(1+c.Effect()), format.Interval(1+c.Low, 1+c.High)
		if said = string(c.Verdict); c.Verdict == verdict.Worse && !c.Confirmed() {
			said = "withdrawn"
		}
	}
	return page.Row("`"+f.function+"`, "+f.metric, format.Change(1+f.more), measured, interval, said, alarm)
}

// change returns the change of a planted line's function, nil if it costs the same.
func (m *measurement) change(f fault) (c *versus.Change, compared bool) {
	for _, all := range []*versus.Comparison{m.Last.CPU, m.Last.Bytes} {
		if all == nil || all.Column != f.metric {
			continue
		}
		if i := slices.IndexFunc(all.Changes, func(c *versus.Change) bool { return c.Function == f.function }); i >= 0 {
			c = all.Changes[i]
		}
		return c, true
	}
	return nil, false
}
