package main

import (
	"fmt"
	"io"

	"github.com/heapwright/heapwright/bench/arena/work"
	"github.com/heapwright/heapwright/bench/internal/page"
)

// printTable prints the bars and figures of one version of Go. Each figure is
// CPU time per operation and, in brackets, a multiple of the heap's. How many times the
// floor's it is a race says, where there is one.
func printTable(w io.Writer, version string, cells []*cell, races []*race) {
	of := byContestant(version, cells)
	fmt.Fprintf(w, "\n## %s\n\n", version)
	fmt.Fprint(w, page.Columns(append([]string{"work", "heap", "arena", "bar", "× floor", "bar", "met"}, peers...)...))
	for _, b := range bars {
		heap, ours := of[[2]string{b.work, work.Heap}], of[[2]string{b.work, b.contestant}]
		if heap == nil || ours == nil {
			continue
		}
		floor := of[[2]string{b.work, work.Floor}]
		line := []any{b.title, duration(heap.perOp()), figure(ours, heap), limit(b.heap), "", limit(b.floor), ""}
		met := within(ours, heap, b.heap)
		if floor != nil {
			times := ours.perOp() / floor.perOp()
			if r := raceOf(version, b.work, races); r != nil {
				times = r.times(b.contestant).Center
			}
			line[4] = fmt.Sprintf("%.2f", times)
			met = met && (b.floor == 0 || times <= b.floor)
		}
		line[6] = map[bool]string{true: "yes", false: "**no**"}[met]
		for _, p := range peers {
			line = append(line, figure(of[[2]string{b.work, p}], heap))
		}
		fmt.Fprint(w, page.Row(line...))
	}
}

// byContestant finds the cells of a version by work and contestant.
func byContestant(version string, cells []*cell) map[[2]string]*cell {
	of := map[[2]string]*cell{}
	for _, c := range cells {
		if c.version == version {
			of[[2]string{c.work, c.contestant}] = c
		}
	}
	return of
}

func within(c, base *cell, most float64) bool {
	return most == 0 || c.perOp() <= most*base.perOp()
}

// figure is empty for a contestant that does not do the work.
func figure(c, heap *cell) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s (%.3g)", duration(c.perOp()), c.perOp()/heap.perOp())
}

func limit(most float64) string {
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("≤ %g", most)
}

// duration prints seconds with three digits.
func duration(seconds float64) string {
	unit, scale := "ns", 1e9
	switch {
	case seconds >= 1e-3:
		unit, scale = "ms", 1e3
	case seconds >= 1e-6:
		unit, scale = "µs", 1e6
	}
	return fmt.Sprintf("%.3g %s", seconds*scale, unit)
}
