package main

import (
	"fmt"
	"io"
	"path"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/trace"
)

// figure is a row: the same time by up to four who know it.
type figure struct {
	name string
	// The same figure in seconds, by each source. nil is a source without it.
	ours, tool, metrics, clock func(r run) float64
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

func metric(name string) func(run) float64 {
	return func(r run) float64 { return r.own.Metrics["/cpu/classes/gc/"+name+":cpu-seconds"] }
}

func shown(names ...string) func(run) float64 {
	return func(r run) float64 {
		var sum time.Duration
		for _, n := range names {
			sum += r.tool[n]
		}
		return sum.Seconds()
	}
}

func class(all ...trace.Class) func(run) float64 {
	return func(r run) float64 {
		var sum int64
		for _, c := range all {
			sum += r.doc.CPU[c]
		}
		return seconds(sum)
	}
}

var figures = []figure{
	{"mark assists, from begin to end", func(r run) float64 { return seconds(r.doc.Assists.Elapsed) }, shown("GC mark assist"), nil, nil},
	{"mark assists, running", class(trace.Assist), nil, metric("mark/assist"), nil},
	{"blocked for the collector", func(r run) float64 { return seconds(r.doc.Bursts.Parts.Wait) },
		shown("Block time (GC mark assist wait for work)", "Block time (preempted)"), nil, nil},
	{"mark workers, dedicated and fractional", class(trace.Dedicated, trace.Fractional), nil, metric("mark/dedicated"), nil},
	{"mark workers, idle", class(trace.Idle), nil, metric("mark/idle"), nil},
	{"runnable, all goroutines", func(r run) float64 { return seconds(r.doc.Delays.Total) }, shown("Sched wait time"), nil, nil},
	{"the longest request", func(r run) float64 { return seconds(r.doc.Bursts.At(1).Length) }, nil, nil, func(r run) float64 { return r.own.Longest }},
}

func show(w io.Writer, s *settings, all map[string][]run, planted string) error {
	storm, cured, off := all["storm"], all["cured"], all["off"]
	p99 := func(r run) float64 { return seconds(r.doc.Bursts.At(0.99).Length) }
	share := func(r run) float64 { return 100 * r.doc.Bursts.At(0.99).Share() }
	about := fmt.Sprintf(`A program handles %d requests a second for %v, each in a goroutine of its own, and traces itself. The *storm* decodes each
request into new objects at %s; the *cured* twin decodes into objects that earlier requests left; *off* is the storm
with GOGC=off. Medians of %d runs.

**`+"`heapwright trace`"+` names the planted line first in %d of %d runs of the storm, and gives the collector %s of the
time of the slowest 1%% of bursts. The cured twin has %s, at a p99 of %s.**

%s
*Off* is the truth for the prediction: the same code without a collection. It also spares the queue behind requests that
are themselves slowed, which the prediction does not count, so that the prediction is an upper bound of p99.

`, s.rate, s.duration, planted, s.runs, named(storm, planted), len(storm), percent(median(storm, share)),
		percent(median(cured, share)), written(median(cured, p99)),
		page.Columns("p99 of bursts", "storm:", "cured:", "off:")+
			page.Row("as traced", written(median(storm, p99)), written(median(cured, p99)), written(median(off, p99)))+
			page.Row("predicted without the collector", written(median(storm, without)), written(median(cured, without)), written(median(off, without)))+
			page.Row("the collector's share of the tail", percent(median(storm, share)), percent(median(cured, share)), percent(median(off, share))))
	fmt.Fprint(w, page.Head("trace", "trace.md", "The timeline of the collector", about))
	fmt.Fprint(w, page.Columns("of the storm", "heapwright trace:", "go tool trace:", "runtime/metrics:", "own clock:"))
	for _, f := range figures {
		cells := []any{f.name}
		for _, of := range []func(run) float64{f.ours, f.tool, f.metrics, f.clock} {
			if of == nil {
				cells = append(cells, "–")
			} else {
				cells = append(cells, written(median(storm, of)))
			}
		}
		fmt.Fprint(w, page.Row(cells...))
	}
	_, err := fmt.Fprint(w, `
go tool trace adds up its pages of the program's goroutines. Its blocked time has no waits for the collector's locks, and
ours only whole bursts. The runtime counts an assist from when it begins to mark; the trace's event comes before that and
includes the search for credit and the end of marking. The runtime updates /cpu/classes when a collection ends.
`)
	return err
}

func without(r run) float64 { return seconds(r.doc.Bursts.At(0.99).Without) }

// named counts the runs in which the planted line pays most.
func named(all []run, planted string) (n int) {
	for _, r := range all {
		if len(r.doc.Lines) > 0 && fmt.Sprintf("%s:%d", path.Base(r.doc.Lines[0].File), r.doc.Lines[0].Line) == planted {
			n++
		}
	}
	return n
}

func median(all []run, of func(run) float64) float64 {
	var values []float64
	for _, r := range all {
		values = append(values, of(r))
	}
	return program.Median(values)
}

func written(s float64) string {
	switch {
	case s == 0:
		return "0"
	case s < 1e-3:
		return fmt.Sprintf("%.0f µs", s*1e6)
	}
	return fmt.Sprintf("%.1f ms", s*1e3)
}

func percent(p float64) string { return fmt.Sprintf("%.0f%%", p) }
