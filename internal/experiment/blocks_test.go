package experiment

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Every block holds each mode once and the baseline once more, as the A/A
// control. The modes of a benchmark follow each other, and the order follows
// from the seed.
func TestBlocksAreCompleteAndShuffled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{Names: []string{"A", "B"}}
		p := planOf(t, f, "default,GOGC=50,GOGC=400", lab(t))
		p.Blocks = 12
		doc, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		orders := map[string]bool{}
		firsts := map[string]bool{}
		for block := 1; block <= doc.Blocks; block++ {
			order := modesIn(doc, block)
			sorted := slices.Sorted(slices.Values(order))
			want := []string{"A/GOGC=400", "A/GOGC=50", "A/default", "A/default" + sample.ControlSuffix, "B/GOGC=400", "B/GOGC=50", "B/default", "B/default" + sample.ControlSuffix}
			if !slices.Equal(sorted, want) {
				t.Fatalf("block %d has the runs %q", block, order)
			}
			for _, half := range [][]string{order[:4], order[4:]} {
				if slices.ContainsFunc(half, func(run string) bool { return run[0] != half[0][0] }) {
					t.Errorf("block %d mixes benchmarks: %q", block, order)
				}
			}
			orders[strings.Join(order, " ")] = true
			firsts[order[0]] = true
		}
		if doc.Blocks != 12 || len(orders) < 11 || len(firsts) < 5 {
			t.Errorf("%d blocks have %d orders and begin with %d runs", doc.Blocks, len(orders), len(firsts))
		}
		p.OutDir += "-again"
		again, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for block := 1; block <= doc.Blocks; block++ {
			if a, b := modesIn(doc, block), modesIn(again, block); !slices.Equal(a, b) {
				t.Errorf("block %d with the same seed: %q, then %q", block, a, b)
			}
		}
		if len(doc.Control) == 0 || doc.Control[0].Mode != "default"+sample.ControlSuffix {
			t.Errorf("the control is judged as %+v", doc.Control)
		}
		wantSameResults(t, p.OutDir, again)
	})
}

// wantSameResults fails the test unless the results that were written run by run
// are those that WriteResults makes of the document.
func wantSameResults(t *testing.T, dir string, doc *result.Document) {
	t.Helper()
	remade := dir + "-remade"
	if err := WriteResults(remade, doc); err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i, dir := range []string{dir, remade} {
		text, err := os.ReadFile(filepath.Join(dir, ResultsFile))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if d := cmp.Diff(texts[0], texts[1]); d != "" {
		t.Error(d)
	}
}

// The place of a file in memory changes its cost: every arm runs a copy of its own,
// a new one in every block, unless the plan says otherwise.
func TestPlacement(t *testing.T) {
	for place, files := range map[Placement]int{Fresh: 12 * 4, Fixed: 4, Same: 1} {
		t.Run(string(place), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				f.figures = func(r fakeRun) ([]target.Figures, error) {
					if _, err := os.Stat(f.ran[0]); place == Fresh && r.n >= 4 && err == nil {
						t.Errorf("run %d: a copy of block 1 is still there", r.n)
					}
					return healthy(r), nil
				}
				p := planOf(t, f, "default,GOGC=50", lab(t))
				p.Blocks, p.Place, p.Again = 12, place, []string{"again"}
				if _, err := begin(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				slices.Sort(f.ran)
				if got := len(slices.Compact(f.ran)); f.runs != 12*4 || got != files {
					t.Errorf("%d runs of %d files, want %d", f.runs, got, files)
				}
				if _, err := os.Stat(f.ran[0]); place != Same && err == nil {
					t.Errorf("the copy %s is left behind", f.ran[0])
				}
			})
		})
	}
}

// An analysis with no question open ends the experiment. One that leaves a
// question open does not, nor does a block between analyses.
func TestAnalyses(t *testing.T) {
	noisy := func(r fakeRun) ([]target.Figures, error) {
		if r.n%2 == 0 {
			return figures(1.5), nil
		}
		return figures(0.7), nil
	}
	for _, test := range []struct {
		name    string
		figures func(fakeRun) ([]target.Figures, error)
		open    func([]verdict.Effect) int
		budget  time.Duration
		blocks  int
		stopped string
	}{
		{"a clear effect", nil, nil, time.Hour, 12, "every question decided"},
		{"noise", noisy, nil, time.Hour, verdict.DefaultBlocks, AllBlocks},
		{"a caller who wants more", nil, func([]verdict.Effect) int { return 1 }, time.Hour, verdict.DefaultBlocks, AllBlocks},
		// A block of three runs takes three seconds.
		{"a budget of five blocks", nil, nil, 16 * time.Second, 5, OutOfTime},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := planOf(t, &fake{figures: test.figures}, "default,GOGC=400", lab(t))
				p.Open, p.Budget = test.open, test.budget
				doc, err := begin(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if doc.Blocks != test.blocks || doc.Stopped != test.stopped {
					t.Errorf("it stopped after %d blocks: %s; want %d: %s", doc.Blocks, doc.Stopped, test.blocks, test.stopped)
				}
				if test.stopped == OutOfTime && (doc.PerBlock != 3 || !strings.Contains(notesOf(doc), "too few to decide anything")) {
					t.Errorf("a block took %v s; notes %q", doc.PerBlock, doc.Warnings)
				}
			})
		})
	}
}
