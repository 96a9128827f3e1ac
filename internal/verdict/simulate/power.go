package main

import (
	"fmt"
	"io"
	"math"

	"github.com/heapwright/heapwright/internal/verdict"
)

// power tabulates the verdicts on a true effect, alone and in a family.
func (s simulation) power(w io.Writer) {
	fmt.Fprintf(w, "**Power** with normal noise of 3%% a run: verdicts on one mode with a true effect, %d experiments each. Alone: one benchmark. Among 12: 3 modes over 4 benchmarks, all with this effect.\n\n", s.n)
	fmt.Fprintln(w, "| true effect | questions | right direction | wrong direction | same | inconclusive | needs over 1000 more | blocks, mean |")
	fmt.Fprintln(w, "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, effect := range []float64{-0.20, -0.10, 0.10, 0.05, 0.03, 0.02, 0} {
		log := math.Log1p(effect)
		s.verdicts(w, effect, "alone", world{noise: noises[0], benchmarks: 1, effects: []float64{log}})
		s.verdicts(w, effect, "among 12", world{noise: noises[0], benchmarks: 4, effects: []float64{log, log, log}})
	}
	fmt.Fprintln(w)
}

func (s simulation) verdicts(w io.Writer, effect float64, questions string, at world) {
	if !s.wants("power", fmt.Sprintf("%+.0f%% %s", 100*effect, questions)) {
		return
	}
	right := verdict.Worse
	if effect < 0 {
		right = verdict.Better
	}
	var tests, rightly, wrongly, same, open, hopeless, blocks int
	for _, out := range each(s.n, s.seed, at.experiment) {
		blocks += out.Blocks
		for _, e := range out.Effects {
			tests++
			switch {
			case e.Verdict == verdict.Inconclusive:
				open++
				if e.MoreBlocks > 1000 {
					hopeless++
				}
			case e.Verdict == verdict.Same:
				same++
			case effect != 0 && e.Verdict == right:
				rightly++
			default:
				wrongly++
			}
		}
	}
	of := func(k int) string { return percent(float64(k) / float64(tests)) }
	fmt.Fprintf(w, "| %+.0f%% | %s | %s | %s | %s | %s | %s | %.0f |\n", 100*effect, questions,
		of(rightly), of(wrongly), of(same), of(open), of(hopeless), float64(blocks)/float64(s.n))
}
