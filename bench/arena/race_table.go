package main

import (
	"fmt"
	"io"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/heapwright/heapwright/bench/arena/work"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// times returns × the floor's CPU time: the median over layouts, of each of
// which it is the median over processes, with its 95% interval.
func (r *race) times(name string) benchmath.Summary {
	var times []float64
	for _, l := range r.layouts {
		times = append(times, program.Median(l.times[name]))
	}
	thresholds := benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(times, &thresholds), 0.95)
}

// raceOf returns the race of a work with one version of Go; nil if there is none.
func raceOf(version, work string, races []*race) *race {
	for _, r := range races {
		if r.version == version && r.work == work && len(r.layouts) > 0 {
			return r
		}
	}
	return nil
}

// printRaces prints a table of the races with one version of Go.
func printRaces(w io.Writer, version string, races []*race) {
	rows := ""
	for _, in := range raced {
		r := raceOf(version, in.work, races)
		if r == nil {
			continue
		}
		var took, ours []float64
		for _, l := range r.layouts {
			took, ours = append(took, program.Median(l.took[work.Floor])), append(ours, program.Median(l.times[work.Ours]))
		}
		line := []any{in.title, duration(program.Median(took))}
		for _, name := range racers {
			t := r.times(name)
			line = append(line, fmt.Sprintf("%.2f [%.2f, %.2f]", t.Center, t.Lo, t.Hi))
		}
		rows += page.Row(append(line, fmt.Sprintf("%.2f, %.2f", slices.Min(ours), slices.Max(ours)))...)
	}
	if rows != "" {
		columns := page.Columns("× the CPU of `memmove`", "`memmove`", "a cursor that can be full",
			"that can be nil or freed too", "arena", "layouts: least, most")
		fmt.Fprintf(w, "\nIn turns, %s:\n\n%s%s", version, columns, rows)
	}
}
