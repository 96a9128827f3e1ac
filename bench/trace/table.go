package main

import (
	_ "embed"
	"fmt"
	"path"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/trace"
)

// figure is a row: the same time in seconds by up to four who know it.
type figure struct {
	Name string
	By   [4]source // heapwright trace, go tool trace, runtime/metrics, the program's own clock
}

// source reads a time in seconds from a run. nil is a source without it.
type source func(r run) float64

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

func metric(name string) source {
	return func(r run) float64 { return r.own.Metrics["/cpu/classes/gc/"+name+":cpu-seconds"] }
}

func shown(names ...string) source {
	return func(r run) float64 {
		var sum time.Duration
		for _, n := range names {
			sum += r.tool[n]
		}
		return sum.Seconds()
	}
}

func class(all ...trace.Class) source {
	return func(r run) float64 {
		var sum int64
		for _, c := range all {
			sum += r.doc.CPU[c]
		}
		return seconds(sum)
	}
}

var figures = []figure{
	{"mark assists, from begin to end", [4]source{func(r run) float64 { return seconds(r.doc.Assists.Elapsed) }, shown("GC mark assist")}},
	{"mark assists, running", [4]source{class(trace.Assist), nil, metric("mark/assist")}},
	{"blocked for the collector", [4]source{func(r run) float64 { return seconds(r.doc.Bursts.Parts.Wait) },
		shown("Block time (GC mark assist wait for work)", "Block time (preempted)")}},
	{"mark workers, dedicated and fractional", [4]source{class(trace.Dedicated, trace.Fractional), nil, metric("mark/dedicated")}},
	{"mark workers, idle", [4]source{class(trace.Idle), nil, metric("mark/idle")}},
	{"runnable, all goroutines", [4]source{func(r run) float64 { return seconds(r.doc.Delays.Total) }, shown("Sched wait time")}},
	{"the longest request", [4]source{func(r run) float64 { return seconds(r.doc.Bursts.At(1).Length) },
		nil, nil, func(r run) float64 { return r.own.Longest }}},
}

//go:embed page.tmpl
var text string

// results is all that the page shows.
type results struct {
	*settings
	Planted           string // the line of the storm that assists
	Storm, Cured, Off runs
	Figures           []figure
}

func (r *results) page() string {
	r.Figures = figures
	return page.Head("trace", "trace.md", "The timeline of the collector", page.Fill(text, r))
}

// runs are the runs of one program, of which the page has medians.
type runs []run

// Traced is the p99 of bursts, and Predicted is the same without the collector.
func (all runs) Traced() string {
	return all.Median(func(r run) float64 { return seconds(r.doc.Bursts.At(0.99).Length) })
}

func (all runs) Predicted() string {
	return all.Median(func(r run) float64 { return seconds(r.doc.Bursts.At(0.99).Without) })
}

// Share is the collector's share of the slowest 1% of bursts.
func (all runs) Share() string {
	return fmt.Sprintf("%.0f%%", 100*all.median(func(r run) float64 { return r.doc.Bursts.At(0.99).Share() }))
}

// Named counts the runs in which the planted line pays most.
func (all runs) Named(planted string) (n int) {
	for _, r := range all {
		if len(r.doc.Lines) > 0 && fmt.Sprintf("%s:%d", path.Base(r.doc.Lines[0].File), r.doc.Lines[0].Line) == planted {
			n++
		}
	}
	return n
}

func (all runs) median(of source) float64 {
	var values []float64
	for _, r := range all {
		values = append(values, of(r))
	}
	return program.Median(values)
}

// Median writes the median of a time.
func (all runs) Median(of source) string {
	if of == nil {
		return "–"
	}
	switch s := all.median(of); {
	case s == 0:
		return "0"
	case s < 1e-3:
		return fmt.Sprintf("%.0f µs", s*1e6)
	default:
		return fmt.Sprintf("%.1f ms", s*1e3)
	}
}
