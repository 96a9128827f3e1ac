package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/serve/versus"
	"github.com/heapwright/heapwright/internal/verdict"
)

// planted are the lines that cost more in the newer version, by metric.
var planted = []struct {
	metric, function string
	more             float64
}{{"cpu", "main.(*shop).price", moreCPU}, {"alloc_space", "main.(*shop).note", moreBytes}}

func (m *measurement) write(w io.Writer) error {
	rows := page.Columns("the planted line", "more, of the service's:", "measured:", "interval:", "verdict", "alarm after:")
	others := maps.Clone(m.reported)
	for _, p := range planted {
		id := p.metric + " " + p.function
		alarm := "none"
		if after, ok := m.reported[id]; ok {
			alarm = after.Round(time.Second).String()
		}
		delete(others, id)
		measured, interval, said := "", "", "not compared"
		if c, compared := m.change(p.metric, p.function); c == nil && compared {
			said = string(verdict.Same)
		} else if c != nil {
			measured, interval = format.Change(1+c.Effect()), format.Interval(1+c.Low, 1+c.High)
			if said = string(c.Verdict); c.Verdict == verdict.Worse && !c.Confirmed() {
				said = "withdrawn"
			}
		}
		rows += page.Row("`"+p.function+"`, "+p.metric, format.Change(1+p.more), measured, interval, said, alarm)
	}
	rest := "No other function was reported."
	if len(others) > 0 {
		rest = "Also reported: " + strings.Join(slices.Sorted(maps.Keys(others)), ", ") + "."
	}
	head := page.Head("serveversions", "serveversions.md", "Two versions side by side, in real time", m.about())
	_, err := fmt.Fprint(w, head, "\n", rows, "\n", rest, "\n")
	return err
}

func (m *measurement) about() string {
	return fmt.Sprintf(`%d processes of a service answered requests for %v, half of them of a newer version, which
starts %v after the older one. All together used %.2f cores; their load differs by a fifth from process to process.
In the newer version one line takes %.0f%% of the CPU time of a request more, and another allocates %.0f%% of its bytes
more; in the older version each takes %.0f%% already. heapwright serve took a heap profile every 15 s and %v of CPU
every %v, in %.2f cores. It kept %d CPU profiles of %d processes, at least %d of each, with %.0f samples of a process
in the median. An alarm needs two judgements in a row, which are made every 2 minutes. %s.

%s and %s are compared%s. The service measured itself before: an order takes %s and %s, and %s and %s in the newer
version.
`, m.replicas, m.duration, 2*m.every, m.used/(m.duration+m.every).Seconds(), 100*moreCPU, 100*moreBytes, 100*already, m.record,
		m.every, m.serve/m.duration.Seconds(), m.records.profiles, m.records.processes, m.records.fewest,
		m.records.samples, page.Platform(), m.last.Before, m.last.After, m.perRequest(),
		format.Seconds(m.older.Seconds), format.Bytes(m.older.Bytes), format.Seconds(m.newer.Seconds), format.Bytes(m.newer.Bytes))
}

func (m *measurement) perRequest() string {
	if m.last.CPU != nil && m.last.CPU.PerWork && m.last.Bytes != nil && m.last.Bytes.PerWork {
		return " per request"
	}
	return ""
}

// change returns the change of a function in a metric, nil if it is the same.
func (m *measurement) change(metric, function string) (c *versus.Change, compared bool) {
	for _, all := range []*versus.Comparison{m.last.CPU, m.last.Bytes} {
		if all == nil || all.Column != metric {
			continue
		}
		for _, change := range all.Changes {
			if change.Function == function {
				return change, true
			}
		}
		return nil, true
	}
	return nil, false
}
