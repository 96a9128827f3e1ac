package experiment

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// A mode that does not build is left out and the others are compared. Without
// a baseline, or without any other mode, nothing is.
func TestBuildsThatFail(t *testing.T) {
	for _, test := range []struct {
		name, modes, broken string
		goesOn              bool
	}{
		{"one of two", "default,tags=x,tags=y", "tags=x", true},
		{"the only one", "default,tags=x", "tags=x", false},
		{"the baseline", "default,tags=x", "default", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{build: failing(test.broken)}
				p := planOf(t, f, test.modes, lab(t))
				p.Blocks = 12
				doc, err := begin(t.Context(), p)
				if test.goesOn {
					if err != nil {
						t.Fatal(err)
					}
					if m := doc.Modes[1]; m.Name != test.broken || m.Failed != "building: it does not work" {
						t.Errorf("the document says of it %+v", m)
					}
					if !strings.Contains(notesOf(doc), "tags=x is left out: building: it does not work") {
						t.Errorf("the notes are %q", doc.Warnings)
					}
					if n := len(modesIn(doc, 1)); n != 3 || len(doc.Summaries) != 1 || doc.Summaries[0].Mode != "tags=y" {
						t.Errorf("%d runs in a block, summaries %+v", n, doc.Summaries)
					}
					return
				}
				if !errors.Is(err, errBroken) {
					t.Errorf("the error is %v", err)
				}
				if f.runs > 0 || len(doc.Runs) > 0 {
					t.Errorf("%d runs were made", f.runs)
				}
			})
		})
	}
}

// A benchmark that fails in a mode is not run there any more after the third
// time; where it fails on the baseline, in no mode. The rest continues.
func TestRunsThatFail(t *testing.T) {
	for _, mode := range []string{"GOGC=50", "default"} {
		t.Run(mode, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{Names: []string{"A", "B"}}
				f.figures = func(r fakeRun) ([]target.Figures, error) {
					if r.benchmark == "A" && r.mode == mode {
						return nil, &target.RunError{Reason: "exit status 2", Output: "panic: no"}
					}
					return healthy(r), nil
				}
				p := planOf(t, f, "default,GOGC=50", lab(t))
				p.Blocks = 12
				doc, err := begin(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]int{}
				for _, failure := range doc.Failures {
					got[failure.Mode]++
					if failure.Benchmark != "A" || failure.Reason != "exit status 2" || failure.Output != "panic: no" || failure.Block != min(3, failure.Block) {
						t.Errorf("a failure is %+v", failure)
					}
				}
				// In the third block the control comes before the baseline, or not at all.
				if control := got["default"+sample.ControlSuffix]; got[mode] != 3 || mode == "default" && control < 2 || len(doc.Failures) != 3+control {
					t.Errorf("failures by mode: %v", got)
				}
				runs := map[string]int{}
				for _, r := range doc.Runs {
					runs[r.Benchmark]++
				}
				if runs["B"] != 36 || mode == "GOGC=50" && runs["A"] != 24 || mode == "default" && runs["A"] > 3 {
					t.Errorf("runs by benchmark: %v", runs)
				}
			})
		})
	}
}

// Every benchmark failing in the list of the baseline leaves nothing to measure.
func TestBenchmarksThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{Names: []string{"A", "B"}, listErr: func(name string) error { return errors.New(name + " is broken") }}
		p := planOf(t, f, "default,GOGC=50", lab(t))
		doc, err := begin(t.Context(), p)
		if err == nil || !strings.Contains(err.Error(), "nothing to measure: every benchmark fails on the baseline; first: A: A is broken") {
			t.Errorf("the error is %v", err)
		}
		if len(doc.Failures) != 2 {
			t.Errorf("the failures are %+v", doc.Failures)
		}
		f.listErr = func(name string) error {
			if name == "A" {
				return errBroken
			}
			return nil
		}
		p.Blocks = 12
		if doc, err = begin(t.Context(), p); err != nil || len(doc.Benchmarks) != 1 || doc.Benchmarks[0].Benchmark != "B" {
			t.Errorf("with one of two broken the benchmarks are %+v: %v", doc.Benchmarks, err)
		}
	})
}

// A clock that is set back when the experiment begins does not end it before that.
func TestClockJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{}, "default,GOGC=50", lab(t))
		p.Blocks = 12
		doc := NewDocument()
		doc.Started = doc.Started.Add(time.Hour)
		began := time.Now()
		if err := Run(t.Context(), p, doc, nil); err != nil {
			t.Fatal(err)
		}
		if took, known := doc.Took(); !known || took != time.Since(began) {
			t.Errorf("it took %v, known: %v, want %v", took, known, time.Since(began))
		}
	})
}

// Figures that make no sense neither end the experiment nor damage the files: the
// document can be written, and the experiment can continue.
func TestGarbage(t *testing.T) {
	garbage := map[string]func() []target.Figures{
		"nothing":      func() []target.Figures { return nil },
		"no figure":    func() []target.Figures { return []target.Figures{{Iterations: 10}} },
		"no operation": func() []target.Figures { return []target.Figures{{Values: map[string]float64{sample.Primary: 1}}} },
		"not a number": func() []target.Figures { return figures(math.NaN()) },
		"infinite":     func() []target.Figures { return figures(math.Inf(1)) },
		"negative":     func() []target.Figures { return figures(-1) },
		"zero":         func() []target.Figures { return figures(0) },
		"another part": func() []target.Figures { f := figures(1); f[0].Part = "storm"; return f },
		"a strange name": func() []target.Figures {
			f := figures(1)
			f[0].Values["a b\nc"] = 1
			return f
		},
	}
	for name, figures := range garbage {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				f.figures = func(r fakeRun) ([]target.Figures, error) {
					if r.mode == "GOGC=50" && r.n%4 == 0 {
						return figures(), nil
					}
					return healthy(r), nil
				}
				p := planOf(t, f, "default,GOGC=50,GOGC=400", lab(t))
				p.Blocks = 12
				doc, err := begin(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if i := slices.IndexFunc(doc.Summaries, func(s verdict.Summary) bool { return s.Mode == "GOGC=400" }); i < 0 || doc.Summaries[i].Decision != verdict.Adopt {
					t.Errorf("the mode beside it is judged as %+v", doc.Summaries)
				}
				if err := result.Save(filepath.Join(p.OutDir, ReportFile), doc); err != nil {
					t.Error(err)
				}
				if good := name == "zero"; good == (len(doc.Failures) > 0) {
					t.Errorf("the failures are %+v", doc.Failures)
				}
				if _, runs, err := Resume(p.OutDir); err != nil {
					t.Errorf("it cannot go on after %d runs: %v", len(runs), err)
				}
			})
		})
	}
}

// On a busy machine every benchmark may run into the timeout that a small budget leaves. One
// is then measured all the same. Benchmarks that the plan names ran before, and have time.
func TestBusyMachine(t *testing.T) {
	for _, among := range [][]sample.Key{nil, {{Benchmark: "A"}, {Benchmark: "B"}}} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{Names: []string{"A", "B"}, calibrating: 2 * leastTimeout}
			p := planOf(t, f, "default,GOGC=400", lab(t))
			p.Budget, p.Among, p.Select = time.Second, among, true
			doc, err := begin(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if len(doc.Benchmarks) == 0 || doc.Benchmarks[0].Benchmark != "A" || doc.Blocks == 0 {
				t.Errorf("it measured %d blocks of %+v", doc.Blocks, doc.Benchmarks)
			}
			if noted := strings.Contains(notesOf(doc), "only A is measured"); noted != (among == nil) {
				t.Errorf("notes %q, failures %+v", doc.Warnings, doc.Failures)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{listing: 2 * leastTimeout}, "default,GOGC=400", lab(t))
		p.Budget, p.Select = time.Second, true
		if doc, err := begin(t.Context(), p); err != nil || len(doc.Benchmarks) != 1 || doc.Blocks == 0 {
			t.Errorf("after a slow list: %v, %+v", err, doc.Failures)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calibrating: time.Hour} // it hangs
		p := planOf(t, f, "default,GOGC=400", lab(t))
		p.Budget = time.Second
		if _, err := begin(t.Context(), p); err == nil || !strings.Contains(err.Error(), "timed out") {
			t.Errorf("the error is %v", err)
		}
	})
}
