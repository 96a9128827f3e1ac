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
)

// planted are the lines that cost more in the newer version, by metric.
var planted = []struct {
	metric, function string
	more             float64
}{{"cpu", "main.(*shop).price", moreCPU}, {"alloc_space", "main.(*shop).note", moreBytes}}

func (m *measurement) write(w io.Writer) error {
	rows := page.Columns("the planted line", "more, of the service's:", "found:", "interval:", "alarm after:")
	others := maps.Clone(m.reported)
	for _, p := range planted {
		id := p.metric + " " + p.function
		alarm := "none"
		if after, ok := m.reported[id]; ok {
			alarm = after.Round(time.Second).String()
		}
		delete(others, id)
		found, interval := "not found", ""
		if c := m.change(p.metric, p.function); c != nil {
			found, interval = format.Change(1+c.Effect()), format.Interval(1+c.Low, 1+c.High)
		}
		rows += page.Row("`"+p.function+"`, "+p.metric, format.Change(1+p.more), found, interval, alarm)
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
starts after the older one. All together used %.2f cores; their load differs by a fifth from process to process. In the newer version one line takes
%.0f%% of the CPU time of a request more, and another allocates %.0f%% of its bytes more; in the older version each
takes %.0f%% already. heapwright serve took a heap profile every 15 s and %v of CPU every %v, in %.2f cores. An alarm
needs two judgements in a row, which are made every 2 minutes. %s.

%s and %s are compared%s. The service measured itself before: an order takes %s and %s, and %s and %s in the newer version.
`, m.replicas, m.duration, m.used/m.duration.Seconds(), 100*moreCPU, 100*moreBytes, 100*already, m.record, m.every,
		m.serve/m.duration.Seconds(), page.Platform(), m.last.Before, m.last.After, m.perRequest(), format.Seconds(m.older.Seconds), format.Bytes(m.older.Bytes),
		format.Seconds(m.newer.Seconds), format.Bytes(m.newer.Bytes))
}

func (m *measurement) perRequest() string {
	if m.last.CPU != nil && m.last.CPU.PerWork && m.last.Bytes != nil && m.last.Bytes.PerWork {
		return " per request"
	}
	return ""
}

// change returns the regression of a function in a metric, nil if there is none.
func (m *measurement) change(metric, function string) *versus.Change {
	for _, c := range []*versus.Comparison{m.last.CPU, m.last.Bytes} {
		if c == nil || c.Column != metric {
			continue
		}
		for _, change := range c.Changes {
			if change.Function == function && change.Confirmed() {
				return change
			}
		}
	}
	return nil
}
