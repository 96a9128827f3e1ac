package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// printShapes writes docs/results/gctune-shapes.md.
func printShapes(w io.Writer, runs []shapeRun) {
	about := fmt.Sprintf(`It needs root on Linux. Each run is a process in a memory cgroup of %d MiB with GOMAXPROCS=%d. It allocates garbage as fast
as it can, except in the shape "paced". The peers take turns. Each cell gives the runs that the kernel killed, the median of
the garbage allocated per second, the median share of the CPU time of the process that went into collections, and the highest
memory charge. A run that is killed counts with the seconds it lived.
`, shapeLimit>>20, shapeProcs)
	p := page.Page{File: "gctune-shapes.md", Title: "gctune in twelve shapes of memory use", About: about, Marks: map[string]page.Mark{}}
	for _, r := range runs {
		p.Marks[r.Shape+" under "+r.Peer] = page.Mark{Commit: r.Commit, Note: r.Go}
	}
	fmt.Fprint(w, p.String("gctune"))
	for _, s := range shapes {
		fits := ""
		if !s.fits {
			fits = " This does not fit into the cgroup."
		}
		fmt.Fprintf(w, "\n**%s**: %s.%s\n\n", s.name, s.title, fits)
		fmt.Fprint(w, page.Columns("peer", "killed:", "work, MiB/s:", "GC CPU:", "peak, MiB:", "lived, s:"))
		for _, p := range peerNames() {
			var killed, peak int
			var rate, gc, lived []float64
			for _, r := range runs {
				if r.Shape != s.name || r.Peer != p {
					continue
				}
				if r.Killed {
					killed++
				}
				peak = max(peak, int(r.Peak>>20))
				rate, gc, lived = append(rate, r.rate()), append(gc, 100*r.GC), append(lived, r.Seconds)
			}
			if len(rate) == 0 {
				continue
			}
			fmt.Fprint(w, page.Row(p, fmt.Sprintf("%d of %d", killed, len(rate)), fmt.Sprintf("%.0f", program.Median(rate)),
				fmt.Sprintf("%.0f%%", program.Median(gc)), peak, fmt.Sprintf("%.1f", program.Median(lived))))
		}
	}
	if lost := avoidable(runs); len(lost) > 0 {
		fmt.Fprintf(w, "\nKills that a peer avoids: %s.\n", strings.Join(lost, ", "))
	} else {
		fmt.Fprint(w, "\nNo peer lives through a shape in which gctune is killed.\n")
	}
}

// avoidable names the shapes in which gctune is killed and a peer never is.
func avoidable(runs []shapeRun) (names []string) {
	for _, s := range shapes {
		kills, ran := map[string]int{}, map[string]bool{}
		for _, r := range runs {
			if r.Shape == s.name {
				ran[r.Peer] = true
				if r.Killed {
					kills[r.Peer]++
				}
			}
		}
		lives := func(p string) bool { return ran[p] && kills[p] == 0 && !strings.HasPrefix(p, "gctune") }
		for _, p := range peerNames() {
			if strings.HasPrefix(p, "gctune") && kills[p] > 0 && slices.ContainsFunc(peerNames(), lives) {
				names = append(names, fmt.Sprintf("%s under %s", s.name, p))
			}
		}
	}
	return names
}
