package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
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
			place = t.grows.String()
		}
		rows.WriteString(page.Row(t.name(), place, strings.Join(said, "; ")))
	}
	_, err := fmt.Fprint(w, page.Head("twins", "twins.md", "Growing and steady twins", fmt.Sprintf(`Caches and queues of ten shapes run as live services under load on loopback, each as a twin that grows for ever and as
one that is bounded. `+"`heapwright diagnose URL`"+` watches each for %v, %d times.

**%d of %d runs of growing twins are named at the right line, %d of %d runs of steady twins are called a leak.**

`, s.duration, s.runs, named, growing, called, steady)), page.Columns("twin", "grows at", "called"), rows.String())
	return err
}
