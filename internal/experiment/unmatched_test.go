package experiment

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// A list that a failure cut short leaves its missing entries open, and nothing
// else.
func TestUnmatched(t *testing.T) {
	found := func(pkg, name string, err error) target.Found {
		return target.Found{Key: sample.Key{Package: pkg, Benchmark: name}, Err: err}
	}
	ours := []target.Found{found("a", "Kept", nil), found("a", "Old", nil), found("b", "Old", nil)}
	theirs := []target.Found{found("a", "Kept", nil), found("a", "New", nil), found("a", "Broken", errors.New("exit status 2")), found("b", "New", nil)}
	e := &experiment{doc: &result.Document{}}
	e.unmatched(ours, theirs, &target.Cell{Mode: mode.Mode{Name: "base"}})
	e.unmatched(theirs, ours, &target.Cell{Mode: mode.Mode{Name: "head"}})
	var got []string
	for _, u := range e.doc.Unmatched {
		got = append(got, u.Mode+" "+u.Key.String())
	}
	if want := []string{"base b.Old", "head a.New", "head b.New"}; !slices.Equal(got, want) {
		t.Errorf("unmatched are %q, want %q", got, want)
	}
}

// limits is a target that keeps the time it was given to list its benchmarks.
type limits struct {
	fake
	limit time.Duration
}

func (l *limits) Benchmarks(ctx context.Context, c *target.Cell, timeout time.Duration) ([]target.Found, error) {
	l.limit = timeout
	return l.fake.Benchmarks(ctx, c, timeout)
}

// Where the baseline's list is complete, that of a revision is not cut off for being
// a little slower.
func TestRevisionIsListedWithoutHaste(t *testing.T) {
	for fails, want := range map[bool]time.Duration{false: 30 * time.Second, true: 15 * time.Second} {
		l := &limits{}
		e := &experiment{plan: Plan{Target: l, Select: true, Budget: 2 * time.Minute, Timeout: time.Minute}, doc: &result.Document{}}
		e.cells = []*target.Cell{{}, {Config: mode.Config{Revision: "head"}}}
		ours := []target.Found{{Key: sample.Key{Benchmark: "A"}}}
		if fails {
			ours[0].Err = errors.New("timed out")
		}
		if err := e.findUnmatched(t.Context(), ours); err != nil {
			t.Fatal(err)
		}
		if l.limit != want {
			t.Errorf("baseline fails %v: %v to list the revision, want %v", fails, l.limit, want)
		}
	}
}
