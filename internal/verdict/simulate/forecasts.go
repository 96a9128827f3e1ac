package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/heapwright/heapwright/internal/verdict"
)

// forecasts tabulates the accuracy of forecasts made at the first analysis.
func (s simulation) forecasts(w io.Writer) {
	const first, last = 12, 40
	fmt.Fprintf(w, "**Forecasts** made after %d blocks for a single question, compared with the verdict after %d; normal noise of 3%% a run, %d experiments each.\n\n", first, last, s.n)
	fmt.Fprintf(w, "| true effect | inconclusive after %d | forecast: at most %d more | of these, decided after %d | forecast: over %d more | of these, still open after %d |\n", first, last-first, last, last-first, last)
	fmt.Fprintln(w, "| ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, effect := range []float64{0.05, 0.03, 0.02, 0} {
		if !s.wants("forecasts", fmt.Sprintf("%+.0f%%", 100*effect)) {
			continue
		}
		at := world{noise: noises[0], benchmarks: 1, effects: []float64{math.Log1p(effect)}}
		var open, soon, soonDecided, late, lateOpen int
		for _, js := range each(s.n, s.seed, func(r *rand.Rand) []verdict.Judgement {
			return at.judgeAt(r, first, last)
		}) {
			then, now := js[0].Effects[0], js[1].Effects[0]
			if then.Verdict != verdict.Inconclusive {
				continue
			}
			open++
			stillOpen := now.Verdict == verdict.Inconclusive
			switch soonEnough := then.MoreBlocks <= last-first; {
			case soonEnough && stillOpen:
				soon++
			case soonEnough:
				soon, soonDecided = soon+1, soonDecided+1
			case stillOpen:
				late, lateOpen = late+1, lateOpen+1
			default:
				late++
			}
		}
		fmt.Fprintf(w, "| %+.0f%% | %d | %d | %d | %d | %d |\n", 100*effect, open, soon, soonDecided, late, lateOpen)
	}
	fmt.Fprintln(w)
}
