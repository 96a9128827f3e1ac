package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/verdict"
)

type simulation struct {
	n     int
	seed  uint64
	lines string // only these; "" is all
}

// wants reports whether a line of a table was asked for.
func (s simulation) wants(table, name string) bool {
	return strings.Contains(table+": "+name, s.lines)
}

// each calls f for i = 0…n-1 with a random source of its own, on all cores, and
// returns what it gave in that order.
func each[T any](n int, seed uint64, f func(r *rand.Rand) T) []T {
	out := make([]T, n)
	var work sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for c := range cores {
		work.Go(func() {
			for i := c; i < n; i += cores {
				out[i] = f(rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	work.Wait()
	return out
}

// coverage tabulates how often a single 95 % interval contains the true effect.
func (s simulation) coverage(w io.Writer) {
	sizes := []int{12, 20, 40}
	repeats := 25 * s.n
	fmt.Fprintf(w, "**Coverage** of the 95 %% interval, %d data sets each; the truth is +10 %%.\n\n", repeats)
	fmt.Fprintln(w, "| noise | 12 blocks | 20 blocks | 40 blocks |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: |")
	fmt.Fprint(w, "| *in theory* |")
	for _, n := range sizes {
		p, _ := stats.NewPaired(make([]float64, n))
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
				p, err := stats.NewPaired(differences(noise, n, effect, r))
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

// differences are those of one candidate and the baseline in n blocks.
func differences(noise noise, n int, effect float64, r *rand.Rand) []float64 {
	disturb := noise.start(r, 2*n, 2)
	d := make([]float64, n)
	for i := range d {
		first, second := disturb(), disturb()
		if r.IntN(2) == 0 {
			first, second = second, first
		}
		d[i] = effect + first - second
	}
	return d
}

// falseClaims tabulates experiments in which nothing differs.
func (s simulation) falseClaims(w io.Writer) {
	fmt.Fprintf(w, "**False claims**: %d experiments each, in which 3 modes are in truth the baseline, over 4 benchmarks: 12 questions an experiment.\n\n", s.n)
	fmt.Fprintln(w, "| noise | tests that claim a difference | experiments with a false claim | modes falsely adopted or rejected | intervals that contain 0 | A then B, 10 runs each, Mann-Whitney 5 % |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, noise := range noises {
		s.nothingDiffers(w, world{noise: noise, benchmarks: 4, effects: make([]float64, 3)}, noise.name)
	}
	w1 := world{noise: noises[0], benchmarks: 4, effects: make([]float64, 3), placement: 0.02}
	s.nothingDiffers(w, w1, "fixed files: normal, 3 %, and where each file lies, for the whole experiment, 2 %")
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

// power tabulates what becomes of a true effect, alone and in a family.
func (s simulation) power(w io.Writer) {
	fmt.Fprintf(w, "**Power** with normal noise of 3 %% a run: verdicts on one mode with a true effect, %d experiments each. Alone: one benchmark. Among 12: 3 modes over 4 benchmarks, all with this effect.\n\n", s.n)
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
	if !s.wants("power", fmt.Sprintf("%+.0f %% %s", 100*effect, questions)) {
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
	fmt.Fprintf(w, "| %+.0f %% | %s | %s | %s | %s | %s | %s | %.0f |\n", 100*effect, questions,
		of(rightly), of(wrongly), of(same), of(open), of(hopeless), float64(blocks)/float64(s.n))
}

// forecasts tabulates what became of the forecasts made at the first look.
func (s simulation) forecasts(w io.Writer) {
	const first, last = 12, 40
	fmt.Fprintf(w, "**Forecasts** made after %d blocks for a single question, held against the verdict after %d; normal noise of 3 %% a run, %d experiments each.\n\n", first, last, s.n)
	fmt.Fprintf(w, "| true effect | inconclusive after %d | forecast: at most %d more | of these, decided after %d | forecast: over %d more | of these, still open after %d |\n", first, last-first, last, last-first, last)
	fmt.Fprintln(w, "| ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, effect := range []float64{0.05, 0.03, 0.02, 0} {
		if !s.wants("forecasts", fmt.Sprintf("%+.0f %%", 100*effect)) {
			continue
		}
		at := world{noise: noises[0], benchmarks: 1, effects: []float64{math.Log1p(effect)}}
		var open, soon, soonDecided, late, lateOpen int
		for _, js := range each(s.n, s.seed, func(r *rand.Rand) []verdict.Judgement { return at.judgeAt(r, first, last) }) {
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
		fmt.Fprintf(w, "| %+.0f %% | %d | %d | %d | %d | %d |\n", 100*effect, open, soon, soonDecided, late, lateOpen)
	}
	fmt.Fprintln(w)
}

func share(yes []bool) float64 {
	n := 0
	for _, y := range yes {
		if y {
			n++
		}
	}
	return float64(n) / float64(len(yes))
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
