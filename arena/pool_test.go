package arena

import (
	"testing"
)

func TestPool(t *testing.T) {
	p := &Pool{Retain: -1}
	a := p.Get()
	New[node](a)
	a.Free()
	b := p.Get()
	defer b.Free()
	if a == b {
		t.Error("a freed arena came back as the same pointer")
	}
	if s := b.Stats(); s.Retained != 0 || s.Peak != 0 {
		t.Errorf("a new arena is not empty: %+v", s)
	}
	if (*Pool)(nil).Get() != nil {
		t.Error("a nil pool must give the heap")
	}
}

// Handles are allocated in batches: each is its own, and stays dead.
func TestHandlesAreNew(t *testing.T) {
	var p Pool
	seen := map[*Arena]bool{}
	for range 3 * handleBatch {
		a := p.Get()
		if seen[a] {
			t.Fatal("a freed arena came back as the same pointer")
		}
		seen[a] = true
		New[node](a)
		a.Free()
	}
	for a := range seen {
		mustPanic(t, "on an arena that has been freed", func() { New[node](a) })
	}
}
