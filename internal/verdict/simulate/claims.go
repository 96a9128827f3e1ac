package main

import (
	"fmt"
	"io"

	"github.com/heapwright/heapwright/internal/verdict"
)

// falseClaims tabulates experiments in which nothing differs.
func (s simulation) falseClaims(w io.Writer) {
	fmt.Fprintf(w, "**False claims**: %d experiments each, in which 3 modes are in truth the baseline, over 4 benchmarks: 12 questions an experiment.\n\n", s.n)
	fmt.Fprintln(w, "| noise | tests that claim a difference | experiments with a false claim | modes falsely adopted or rejected | intervals that contain 0 | A then B, 10 runs each, Mann-Whitney 5% |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, noise := range noises {
		s.nothingDiffers(w, world{noise: noise, benchmarks: 4, effects: make([]float64, 3)}, noise.name)
	}
	w1 := world{noise: noises[0], benchmarks: 4, effects: make([]float64, 3), placement: 0.02}
	s.nothingDiffers(w, w1, "fixed files: normal, 3%, and where each file lies, for the whole experiment, 2%")
	fmt.Fprintln(w)
}

func (s simulation) nothingDiffers(w io.Writer, at world, name string) {
	if !s.wants("false claims", name) {
		return
	}
	var tests, claims, touched, modes, winners, covered int
	for _, out := range each(s.n, s.seed, at.experiment) {
		before := claims
		for _, e := range out.Effects {
			tests++
			if e.Verdict == verdict.Better || e.Verdict == verdict.Worse {
				claims++
			}
			if e.Low <= 1 && 1 <= e.High {
				covered++
			}
		}
		if claims > before {
			touched++
		}
		for _, m := range out.Summaries {
			modes++
			if m.Decision == verdict.Adopt || m.Decision == verdict.Reject {
				winners++
			}
		}
	}
	naive := each(25*s.n, s.seed, at.noise.aThenB)
	usual := percent(share(naive))
	if at.placement != 0 {
		usual = "" // A and B are not simulated with a place
	}
	fmt.Fprintf(w, "| %s | %d of %d | %d of %d | %d of %d | %s | %s |\n",
		name, claims, tests, touched, s.n, winners, modes, percent(float64(covered)/float64(tests)), usual)
}
