package tune

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/verdict"
)

// gogc are candidates that share one build.
var gogc = []candidate{
	{mode: "GOGC=200", family: pacing}, {mode: "GOGC=400", family: pacing},
	{mode: "GOMEMLIMIT=4GiB", family: collector}, {mode: "GOGC=800", family: pacing}, {mode: "GOGC=70", family: pacing},
}

// A tuning that proves no mode does not end with time left: modes that look bad in
// few blocks get the rest.
func TestNothingLooksGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{Names: []string{"A"}, run: time.Second, noise: 0.3, ratios: map[string]float64{}}
		for _, c := range gogc {
			f.ratios[c.mode] = 1.02
		}
		p, doc, c := planOf(t, f), &Document{}, &clock{budget: 150 * time.Second}
		chosen, err := p.try(t.Context(), doc, gogc, c, true)
		if err != nil || chosen != "" {
			t.Fatalf("%q is chosen, %v", chosen, err)
		}
		if c.left() > 15*time.Second || doc.Final == nil {
			t.Errorf("%v of %v are left, the first comparison ended after %d blocks: %s", c.left(), c.budget, doc.Modes.Blocks, doc.Modes.Stopped)
		}
	})
}

// Questions that the usual number of blocks leaves open continue while there is time.
func TestDecidingComparisonTakesAllThatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{Names: []string{"A"}, run: 100 * time.Millisecond, noise: 0.15, ratios: map[string]float64{"GOGC=200": 0.95}}
		p, doc, c := planOf(t, f), &Document{}, &clock{budget: 100 * time.Second}
		chosen, err := p.try(t.Context(), doc, gogc[:1], c, false)
		if err != nil {
			t.Fatal(err)
		}
		if chosen == "" && c.left() > 10*time.Second || doc.Modes.Blocks <= verdict.DefaultBlocks {
			t.Errorf("%q is chosen, and %v of %v are left after %d blocks", chosen, c.left(), c.budget, doc.Modes.Blocks)
		}
	})
}

// However a target behaves, all stages together keep to the budget, compiling
// aside, and none is left worth telling while a mode is undecided.
func TestBudgetOfAllStages(t *testing.T) {
	// The usual 100 checks take ten seconds.
	if checks := flag.Lookup("rapid.checks"); os.Getenv("HEAPWRIGHT_THOROUGH") == "" && checks.Value.String() == checks.DefValue {
		checks.Value.Set("20")
		defer checks.Value.Set(checks.DefValue)
	}
	base := planOf(t, nil)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		f := &fake{
			run:      time.Duration(rapid.IntRange(200, 3000).Draw(rt, "run ms")) * time.Millisecond,
			noise:    rapid.Float64Range(0.002, 0.2).Draw(rt, "noise"),
			building: time.Duration(rapid.IntRange(0, 100).Draw(rt, "building s")) * time.Second,
			listing:  time.Duration(rapid.IntRange(0, 5).Draw(rt, "listing s")) * time.Second,
			ratios:   map[string]float64{},
		}
		for i := range rapid.IntRange(1, 3).Draw(rt, "benchmarks") {
			f.Names = append(f.Names, fmt.Sprint("B", i))
		}
		all := gogc[:rapid.IntRange(1, len(gogc)).Draw(rt, "modes")]
		for _, c := range all {
			f.ratios[c.mode] = rapid.Float64Range(0.9, 1.05).Draw(rt, c.mode)
		}
		block := time.Duration(len(f.Names)*(len(all)+2)) * f.run
		p, doc, c := base, &Document{}, &clock{budget: block * time.Duration(rapid.IntRange(10, 50).Draw(rt, "blocks"))}
		p.Target, p.OutDir = f, filepath.Join(base.OutDir, fmt.Sprint(n))
		var err error
		var took time.Duration
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, err = p.try(t.Context(), doc, all, c, len(all) > 1)
			took = time.Since(began) - time.Duration(f.built.Load())
		})
		if err != nil {
			rt.Fatal(err)
		}
		if took > c.budget*11/10 || took != c.spent {
			rt.Errorf("the stages took %v of %v, by the clock %v", took, c.budget, c.spent)
		}
		adopted := slices.ContainsFunc(doc.Tried, func(t Tried) bool { return t.Decision == verdict.Adopt })
		open := slices.ContainsFunc(doc.Tried, func(t Tried) bool { return t.Decision == verdict.Undecided })
		if left := c.left(); open && !adopted && left > max(c.budget*15/100, 2*block) {
			rt.Errorf("%v of %v are left though %d blocks decided nothing: %+v", left, c.budget, doc.Modes.Blocks, doc.Tried)
		}
	})
}
