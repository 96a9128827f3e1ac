package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// A budget that does not suffice for all benchmarks goes to one of each group of
// sub-benchmarks first, and to those that allocate fastest.
func TestSelectsBenchmarks(t *testing.T) {
	var found []target.Found
	add := func(name string, rate float64) {
		found = append(found, target.Found{Key: sample.Key{Benchmark: name}, Rate: rate})
	}
	for i := range 50 {
		add(fmt.Sprintf("Sizes/%d", i), float64(1000+i))
	}
	add("Slow", 1)
	add("Quick", 500)
	e := &experiment{plan: Plan{Select: true}}
	var got []string
	for _, f := range e.choose(found)[:4] {
		got = append(got, f.Benchmark)
	}
	if want := []string{"Sizes/49", "Quick", "Slow", "Sizes/48"}; !slices.Equal(got, want) {
		t.Errorf("it takes %q first, not %q", got, want)
	}
	e.plan.Select = false
	if all := e.choose(found); len(all) != len(found) || all[0].Benchmark != "Sizes/0" {
		t.Errorf("not asked to select, it takes %d of %d", len(all), len(found))
	}
}

// A benchmark whose first iteration alone allocates does not take the place of
// others, and comes back where there is room for it.
func TestIdleBenchmarksAreLeftOutFirst(t *testing.T) {
	names := func(doc *result.Document) (all []string) {
		for _, b := range doc.Benchmarks {
			all = append(all, b.Benchmark)
		}
		return all
	}
	for budget, want := range map[time.Duration][]string{100 * time.Second: {"C"}, time.Hour: {"A", "B", "C"}} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{Names: []string{"A", "B", "C"}, idle: map[string]bool{"A": true, "B": true}, calibrating: 5 * time.Second, starting: time.Second}
			p := planOf(t, f, "default,GOGC=400", lab(t))
			p.Budget, p.Select = budget, true
			doc, err := begin(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(doc); !slices.Equal(got, want) || len(doc.LeftOut)+len(got) != 3 {
				t.Errorf("%v: it measures %q and leaves out %v", budget, got, doc.LeftOut)
			}
		})
	}
}

// A budget that is too short for one block is named before it is spent.
func TestLongBlockIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{run: 20 * time.Second}, "default,GOGC=400", lab(t))
		p.Budget = 40 * time.Second
		doc, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if want := "one block of 3 runs takes about 1m0s"; !strings.Contains(notesOf(doc), want) {
			t.Errorf("notes %q do not say %q", notesOf(doc), want)
		}
	})
}

// Listing and calibrating count against the budget.
func TestBudgetHoldsInAll(t *testing.T) {
	for _, slow := range []time.Duration{0, time.Second, 4 * time.Second} {
		t.Run(slow.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{calibrating: slow, starting: slow}
				for i := range 30 {
					f.Names = append(f.Names, fmt.Sprint("B", i))
				}
				p := planOf(t, f, "default,GOGC=400", lab(t))
				p.Budget, p.Select = 100*time.Second, true
				began := time.Now()
				doc, err := begin(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				// The first block is run in any case, and is as long as the others.
				if took := time.Since(began); took > p.Budget*11/10 {
					t.Errorf("it took %v of %v: %d benchmarks, %d blocks", took, p.Budget, len(doc.Benchmarks), doc.Blocks)
				}
				if !strings.Contains(notesOf(doc), "left out to keep to the budget") {
					t.Errorf("it does not tell of those that it left out: %q", doc.Warnings)
				}
			})
		})
	}
}

// Benchmarks that are known are not listed again.
func TestAmong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{Names: []string{"A", "B", "C"}, listErr: func(string) error { return errors.New("listed") }}, "default,GOGC=400", lab(t))
		p.Among = []sample.Key{{Benchmark: "B"}}
		doc, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Benchmarks) != 1 || doc.Benchmarks[0].Benchmark != "B" || len(doc.Failures) > 0 {
			t.Errorf("it measured %+v; failures %v", doc.Benchmarks, doc.Failures)
		}
	})
}

// A mode skips benchmarks that the plan leaves out for it, in blocks and before them. The questions
// are fewer, and the time goes to those that are left.
func TestSkips(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{Names: []string{"A", "B"}}, "default,GOGC=400,GOGC=50", lab(t))
		p.Among, p.Blocks = []sample.Key{{Benchmark: "B"}, {Benchmark: "A"}}, 8
		p.Skips = func(mode string, k sample.Key) bool {
			return mode == "default" || (mode == "GOGC=50") == (k.Benchmark == "B")
		}
		doc, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		control := "default" + sample.ControlSuffix
		want := []string{"A/GOGC=50", "A/default", "A/" + control, "B/GOGC=400", "B/default", "B/" + control}
		if got := slices.Sorted(slices.Values(modesIn(doc, 1))); !slices.Equal(got, want) {
			t.Errorf("block 1 has the runs %q, want %q", got, want)
		}
		if len(doc.Untimed) != 4 || len(doc.Failures) > 0 {
			t.Errorf("%d runs before the blocks, failures %v", len(doc.Untimed), doc.Failures)
		}
		var judged []string
		for _, e := range doc.Effects {
			if e.Metric == sample.Primary {
				judged = append(judged, e.Benchmark+"/"+e.Mode)
			}
		}
		if slices.Sort(judged); !slices.Equal(judged, []string{"A/GOGC=50", "B/GOGC=400"}) {
			t.Errorf("it judges %q", judged)
		}
	})
}

// Where each mode has its own benchmarks, more of them fit.
func TestAffordSkipped(t *testing.T) {
	e := &experiment{cells: make([]*target.Cell, 5), doc: &result.Document{Baseline: "default"}}
	for i := range e.cells {
		e.cells[i] = &target.Cell{Mode: mode.Mode{Name: string(rune('A' + i))}}
		e.plan.Among = append(e.plan.Among, sample.Key{Benchmark: string(rune('A' + i))})
	}
	all := e.runsFor(4)
	e.plan.Skips = func(mode string, k sample.Key) bool { return mode != k.Benchmark && k.Benchmark != "A" }
	if own := e.runsFor(4); own > all*2/3 {
		t.Errorf("%d runs of each benchmark, %d without skips", own, all)
	}
}

// A plan that names benchmarks has them in the order of their importance.
func TestAmongInOrder(t *testing.T) {
	var found []target.Found
	for _, name := range []string{"Parse/2", "Parse/1", "Other"} {
		found = append(found, target.Found{Key: sample.Key{Benchmark: name}})
	}
	e := &experiment{plan: Plan{Select: true, Among: []sample.Key{}}}
	if got := e.choose(found); got[1].Benchmark != "Parse/1" {
		t.Errorf("the order is %v", got)
	}
}

// The one run of a command finds its benchmark: it may take the budget, or as long as
// the plan says. Of many benchmarks the list may be incomplete.
func TestTimeoutOfListing(t *testing.T) {
	command, packages := &target.Command{Main: "./cmd"}, &target.Packages{Names: []string{"./..."}}
	for _, test := range []struct {
		plan Plan
		want time.Duration
	}{
		{Plan{Target: command, Budget: 10 * time.Second}, 10 * time.Second},
		{Plan{Target: command, Budget: 10 * time.Second, Patience: 20 * time.Second}, 20 * time.Second},
		{Plan{Target: command, Budget: time.Millisecond}, leastTimeout},
		{Plan{Target: command, Budget: 10 * time.Second, Timeout: time.Minute}, time.Minute},
		{Plan{Target: command, Budget: 2 * time.Minute}, 62 * time.Second},
		{Plan{Target: command, Budget: time.Hour}, 15 * time.Minute},
		{Plan{Target: packages, Budget: 10 * time.Second, Timeout: time.Minute}, leastListing},
	} {
		test.plan.Modes, test.plan.Select = make([]mode.Mode, 1), true
		p, err := test.plan.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		e := &experiment{plan: p}
		if got := e.listing(); got != test.want {
			t.Errorf("%s may be listed for %v of a budget of %v, want %v", p.Target, got, p.Budget, test.want)
		}
	}
}
