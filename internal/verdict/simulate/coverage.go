package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/heapwright/heapwright/internal/stats"
)

// coverage tabulates how often a single 95% interval contains the true effect.
func (s simulation) coverage(w io.Writer) {
	sizes := []int{12, 20, 40}
	repeats := 25 * s.n
	fmt.Fprintf(w, "**Coverage** of the 95%% interval, %d data sets each; the truth is +10%%.\n\n", repeats)
	fmt.Fprintln(w, "| noise | 12 blocks | 20 blocks | 40 blocks |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: |")
	fmt.Fprint(w, "| *in theory* |")
	for _, n := range sizes {
		p, _ := stats.NewDifferences(make([]float64, n))
		fmt.Fprintf(w, " *%s* |", percent(p.Interval(0.05).Coverage))
	}
	fmt.Fprintln(w)
	effect := math.Log(1.1)
	for _, noise := range noises {
		if !s.wants("coverage", noise.name) {
			continue
		}
		fmt.Fprintf(w, "| %s |", noise.name)
		for _, n := range sizes {
			covered := each(repeats, s.seed, func(r *rand.Rand) bool {
				p, err := stats.NewDifferences(differences(noise, n, effect, r))
				if err != nil {
					panic(err) // noise is finite
				}
				iv := p.Interval(0.05)
				return iv.Low <= effect && effect <= iv.High
			})
			fmt.Fprintf(w, " %s |", percent(share(covered)))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// differences draws the differences between one candidate and the baseline in n blocks.
func differences(noise noise, n int, effect float64, r *rand.Rand) []float64 {
	draw := noise.start(r, 2*n, 2)
	d := make([]float64, n)
	for i := range d {
		first, second := draw(), draw()
		if r.IntN(2) == 0 {
			first, second = second, first
		}
		d[i] = effect + first - second
	}
	return d
}
