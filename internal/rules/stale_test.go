package rules

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// A heap profile of a collection before the window is no evidence of the window.
func TestStaleHeap(t *testing.T) {
	find := func(t *testing.T, cycles float64, fresh bool) Finding {
		s := newScene(t, stores)
		s.cpu = profiletest.NewCPU().CPU(100, start)
		s.grow(s.frame("open", "s := &session"), 4e5, 4e5, 4e5)
		s.runtime.Recent = evidence.Counts{Cycles: evidence.Known{Value: cycles, OK: true}, Forced: evidence.Known{OK: true}}
		s.runtime.Fresh = fresh
		for _, f := range s.find() {
			if f.Rule == "large-holder" {
				return f
			}
		}
		t.Fatal("nothing holds much")
		return Finding{}
	}
	t.Run("no collection", func(t *testing.T) {
		if f := find(t, 0, false); !strings.HasPrefix(f.Title, "as of a collection ") || !strings.Contains(f.Remedy, "with -gc") || f.Confidence != evidence.Low {
			t.Errorf("%s: %s (%s)", f.Title, f.Remedy, f.Confidence)
		}
	})
	t.Run("many collections", func(t *testing.T) {
		if f := find(t, 9, false); strings.Contains(f.Title, "as of") {
			t.Error(f.Title)
		}
	})
	t.Run("collected before each", func(t *testing.T) {
		if f := find(t, 0, true); strings.Contains(f.Title, "as of") {
			t.Error(f.Title)
		}
	})
}
