package experiment

import (
	"errors"
	"slices"
	"testing"

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
