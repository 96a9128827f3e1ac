package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/verdict"
)

// The seeds are fixed: these tests give the same answer every time.

func TestIntervalsCover(t *testing.T) {
	effect := math.Log(0.7)
	for _, noise := range noises {
		covered := share(each(2000, 1, func(r *rand.Rand) bool {
			p, err := stats.NewDifferences(differences(noise, 12, effect, r))
			if err != nil {
				t.Error(err)
				return false
			}
			iv := p.Interval(0.05)
			return iv.Low <= effect && effect <= iv.High
		}))
		// In theory 95.8%; with ties more, since the bounds belong to it.
		most := 0.97
		if strings.Contains(noise.name, "rounded") {
			most = 1
		}
		if covered < 0.93 || covered > most {
			t.Errorf("%s: %s of the intervals contain the effect", noise.name, percent(covered))
		}
	}
}

func TestNoWinnerWhereNothingDiffers(t *testing.T) {
	for _, noise := range noises {
		w := world{noise: noise, benchmarks: 2, effects: []float64{0, 0}}
		for _, j := range each(4, 2, w.experiment) {
			for _, s := range j.Summaries {
				if s.Decision == verdict.Adopt || s.Decision == verdict.Reject {
					t.Errorf("%s: %s %s: %s", noise.name, s.Decision, s.Mode, s.Reason)
				}
			}
		}
	}
}

func TestTenPercentIsFound(t *testing.T) {
	w := world{noise: noises[0], benchmarks: 1, effects: []float64{math.Log(1.1)}}
	found := 0
	for _, j := range each(40, 3, w.experiment) {
		switch e := j.Effects[0]; {
		case e.Verdict == verdict.Worse:
			found++
		case e.Verdict != verdict.Inconclusive || e.MoreBlocks == 0:
			t.Errorf("+10%% was called %s, %d more blocks", e.Verdict, e.MoreBlocks)
		}
	}
	if found < 36 {
		t.Errorf("+10%% was found in %d of 40 experiments", found)
	}
}

func TestForecastsComeTrue(t *testing.T) {
	w := world{noise: noises[0], benchmarks: 1, effects: []float64{math.Log(1.05)}}
	kept, made := 0, 0
	for _, js := range each(40, 4, func(r *rand.Rand) []verdict.Judgement { return w.judgeAt(r, 12, 40) }) {
		if e := js[0].Effects[0]; e.Verdict == verdict.Inconclusive && e.MoreBlocks <= 20 {
			made++
			if js[1].Effects[0].Verdict != verdict.Inconclusive {
				kept++
			}
		}
	}
	if made < 12 || kept < made*8/10 {
		t.Errorf("of %d forecasts of at most 20 more blocks, %d came true after 28", made, kept)
	}
}

func TestTablesRepeat(t *testing.T) {
	var first, second bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &second} {
		simulation{n: 2, seed: 5}.coverage(w)
	}
	if first.String() != second.String() || strings.Count(first.String(), "|") < 40 {
		t.Errorf("the same seed gave\n%s\nand\n%s", &first, &second)
	}
}
