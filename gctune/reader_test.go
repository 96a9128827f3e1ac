package gctune

import (
	"testing"
	"testing/fstest"
)

// TestMissingFilesCostNothing looks again and again where the kernel tells
// nothing, as outside Linux.
func TestMissingFilesCostNothing(t *testing.T) {
	k := newKernel(fstest.MapFS{}, 1<<30)
	var m memory
	look := func() { k.read(&m, 1<<20) }
	look()
	if n := testing.AllocsPerRun(100, look); n != 0 {
		t.Errorf("%v allocations per look", n)
	}
	if m.room != 1<<30-1<<20 {
		t.Errorf("room %d", m.room)
	}
}
