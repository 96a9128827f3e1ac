package experiment

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// cutAfter ends the context in the run that comes after n timed ones.
func cutAfter(f *fake, n int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	f.figures = func(r fakeRun) ([]target.Figures, error) {
		if r.n == n {
			cancel()
			return nil, &target.RunError{Reason: "interrupt"}
		}
		return healthy(r), nil
	}
	return ctx
}

// resume continues an interrupted plan as the document records it.
func resume(t *testing.T, p Plan, f *fake) (*result.Document, error) {
	t.Helper()
	doc, runs, err := Resume(p.OutDir)
	if err != nil {
		return nil, err
	}
	p.Target = f
	return doc, Run(t.Context(), p, doc, runs)
}

// An experiment that is interrupted within a block keeps the whole blocks. When
// it continues, it measures that block again, and in the order that it would have
// had.
func TestInterruptedWithinABlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := planOf(t, f, "default,GOGC=50,GOGC=400", lab(t))
		p.Blocks = 12
		whole := p
		whole.OutDir += "-whole"
		want, err := begin(t.Context(), whole)
		if err != nil {
			t.Fatal(err)
		}
		f = &fake{}
		p.Target = f
		doc, err := begin(cutAfter(f, 5*4+2), p) // the third of four runs of block 6
		if !errors.Is(err, ErrInterrupted) || doc.Stopped != Interrupted {
			t.Fatalf("it ended with %v, %q", err, doc.Stopped)
		}
		if doc.Blocks != 5 || len(doc.Effects) == 0 || doc.Finished.IsZero() {
			t.Errorf("%d blocks are kept, with %d effects; finished %v", doc.Blocks, len(doc.Effects), doc.Finished)
		}
		if len(doc.Failures) > 0 {
			t.Errorf("the interruption counts as a failure: %+v", doc.Failures)
		}
		doc, err = resume(t, p, &fake{})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Blocks != 12 || doc.Stopped == Interrupted {
			t.Errorf("it went on to %d blocks: %s", doc.Blocks, doc.Stopped)
		}
		for block := 1; block <= 12; block++ {
			if got, want := modesIn(doc, block), modesIn(want, block); !slices.Equal(got, want) {
				t.Errorf("block %d has the runs %q, without an interruption %q", block, got, want)
			}
		}
		// On disk the interrupted block is there as well; a later run counts.
		_, runs, err := Resume(p.OutDir)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(doc.Runs, runs); d != "" {
			t.Error(d)
		}
	})
}

// Before the first block there is nothing to continue from but the plan, and files of
// an earlier experiment in the folder are not taken for this one's.
func TestInterruptedWithinTheFirstBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := lab(t)
		earlier := planOf(t, &fake{}, "default,GOGC=400", dir)
		earlier.Blocks = 12
		if _, err := begin(t.Context(), earlier); err != nil {
			t.Fatal(err)
		}
		f := &fake{}
		p := planOf(t, f, "default,GOGC=50", dir)
		p.Seed = 2
		if _, err := begin(cutAfter(f, 2), p); !errors.Is(err, ErrInterrupted) {
			t.Fatalf("it ended with %v", err)
		}
		doc, runs, err := Resume(p.OutDir)
		if err != nil {
			t.Fatal(err)
		}
		if doc.Seed != 2 || len(runs) > 0 || doc.Blocks > 0 {
			t.Errorf("seed %d goes on after %d blocks with %d runs", doc.Seed, doc.Blocks, len(runs))
		}
	})
}

// An experiment that ends before it measures leaves an earlier one as it is.
func TestNothingIsLostBeforeTheFirstBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := lab(t)
		earlier := planOf(t, &fake{}, "default,GOGC=400", dir)
		earlier.Blocks = 12
		want, err := begin(t.Context(), earlier)
		if err != nil {
			t.Fatal(err)
		}
		p := planOf(t, &fake{build: failing("default")}, "default,GOGC=50", dir)
		if _, err := begin(t.Context(), p); !errors.Is(err, errBroken) {
			t.Fatalf("it ended with %v", err)
		}
		_, runs, err := Resume(p.OutDir)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.Runs, runs); d != "" {
			t.Error(d)
		}
	})
}

// Blocks of two different programs are not mixed, and nothing is run to find
// that out.
func TestResumeRefusesAnotherProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := planOf(t, f, "default,tags=x", lab(t))
		if _, err := begin(cutAfter(f, 7), p); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		changed := &fake{text: func(mode string) string { return "another program in " + mode }}
		_, err := resume(t, p, changed)
		if err == nil || !strings.Contains(err.Error(), "has changed since the experiment began") || !strings.Contains(err.Error(), "without -resume") {
			t.Errorf("it went on: %v", err)
		}
		if changed.runs > 0 {
			t.Errorf("%d runs were made", changed.runs)
		}
		if _, runs, err := Resume(p.OutDir); err != nil || len(runs) != 6 {
			t.Errorf("of 6 runs %d are left: %v", len(runs), err)
		}
	})
}

// A budget is that of the part that continues.
func TestResumeHasABudgetOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{}, "default,GOGC=50", lab(t))
		p.Budget = 16 * time.Second // five blocks of three seconds
		if doc, err := begin(t.Context(), p); err != nil || doc.Blocks != 5 {
			t.Fatalf("%d blocks, %v", doc.Blocks, err)
		}
		doc, err := resume(t, p, &fake{})
		if err != nil || doc.Blocks != 10 || doc.Stopped != OutOfTime {
			t.Errorf("it went on to %d blocks: %s, %v", doc.Blocks, doc.Stopped, err)
		}
	})
}
