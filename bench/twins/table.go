package main

import (
	"fmt"
	"io"
	"strings"
)

// show writes the page of results.
func show(w io.Writer, s *settings, all []*twin) error {
	growing, named, steady, called := 0, 0, 0, 0
	var rows strings.Builder
	for _, t := range all {
		var said []string
		for _, o := range t.outcomes {
			said = append(said, o.String())
			switch {
			case t.steady:
				steady++
				if len(o.leaks) > 0 {
					called++
				}
			default:
				growing++
				if o.named {
					named++
				}
			}
		}
		place := "–"
		if !t.steady {
			place = fmt.Sprintf("%s:%d", t.file, t.number)
		}
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", t.name(), place, strings.Join(said, "; "))
	}
	_, err := fmt.Fprintf(w, `# Growing and steady twins

Caches and queues of ten shapes run as live services under load on loopback, each as a twin that grows for ever and as
one that is bounded. `+"`heapwright diagnose URL`"+` watches each for %v, %d times. This page is written by
`+"`go -C bench run ./twins`"+`.

**%d of %d runs of growing twins are named at the right line, %d of %d runs of steady twins are called a leak.**

| twin | grows at | called |
| --- | --- | --- |
%s`, s.duration, s.runs, named, growing, called, steady, rows.String())
	return err
}
