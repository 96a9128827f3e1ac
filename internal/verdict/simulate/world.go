package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

const baseline = "default"

// world is a machine on which the true effects are known.
type world struct {
	noise      noise
	benchmarks int
	effects    []float64 // ln(candidate/baseline) of each candidate mode, alike in all benchmarks
	// placement is the standard deviation of the effect that the place of a file
	// in memory has on a benchmark for a whole experiment. It is 0 where every
	// run has a fresh copy: then it is part of the noise.
	placement float64
}

// experiment measures and judges as heapwright compare does: complete blocks
// in random order with an A/A control, judged at the planned analyses until no
// question is open. It returns the last judgement.
func (w world) experiment(r *rand.Rand) (j verdict.Judgement) {
	analyses, _ := verdict.PlanAnalyses(len(w.effects)*w.benchmarks, 0)
	next := w.blocks(r, analyses[len(analyses)-1])
	var runs []sample.Run
	for done, at := 0, 0; at < len(analyses); at++ {
		for ; done < analyses[at]; done++ {
			runs = append(runs, next()...)
		}
		j = judge(runs, analyses)
		if j.Open == 0 {
			break
		}
	}
	return j
}

// judgeAt measures and judges at each of the numbers of blocks, which ascend,
// whatever is open.
func (w world) judgeAt(r *rand.Rand, blocks ...int) (js []verdict.Judgement) {
	analyses, _ := verdict.PlanAnalyses(len(w.effects)*w.benchmarks, 0)
	next := w.blocks(r, analyses[len(analyses)-1])
	var runs []sample.Run
	for done, at := 0, 0; at < len(blocks); at++ {
		for ; done < blocks[at]; done++ {
			runs = append(runs, next()...)
		}
		js = append(js, judge(runs, analyses))
	}
	return js
}

func judge(runs []sample.Run, analyses []int) verdict.Judgement {
	j, err := verdict.Judge(runs, verdict.Options{Baseline: baseline, Analyses: analyses})
	if err != nil {
		panic(err) // the simulation made runs that do not fit together
	}
	return j
}

// blocks returns a function that measures the next block, of so many.
func (w world) blocks(r *rand.Rand, total int) func() []sample.Run {
	modes := []string{baseline, baseline + sample.ControlSuffix}
	effects := append([]float64{0, 0}, w.effects...)
	for i := range w.effects {
		modes = append(modes, fmt.Sprintf("mode%d", i+1))
	}
	draw := w.noise.start(r, total*w.benchmarks*len(modes), w.benchmarks*len(modes))
	placed := make([]float64, w.benchmarks*len(modes))
	for i := range placed {
		placed[i] = w.placement * r.NormFloat64()
	}
	block := 0
	return func() (runs []sample.Run) {
		block++
		for b := range w.benchmarks {
			for _, m := range r.Perm(len(modes)) {
				cost := math.Exp(effects[m] + placed[b*len(modes)+m] + draw())
				runs = append(runs, sample.Run{
					Key:  sample.Key{Benchmark: fmt.Sprintf("B%d", b+1)},
					Mode: modes[m], Block: block,
					Values: map[string]float64{sample.Primary: cost},
				})
			}
		}
		return runs
	}
}

// aThenB is the usual procedure on the same machine: ten runs of A, then ten of
// B, and a Mann-Whitney test at 5%. It reports whether a difference between
// two identical programs is claimed.
func (n noise) aThenB(r *rand.Rand) bool {
	const runs = 10
	// The critical value of U, two-sided 5% for 10 and 10 (Mann and Whitney, Ann. Math. Stat.
	// 18, 1947).
	const critical = 23
	draw := n.start(r, 2*runs, 2)
	var a, b [runs]float64
	for i := range a {
		a[i] = draw()
	}
	for i := range b {
		b[i] = draw()
	}
	u := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				u++
			case x == y:
				u += 0.5
			}
		}
	}
	return min(u, runs*runs-u) <= critical
}
