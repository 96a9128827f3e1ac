package gctune

import (
	"testing"
	"testing/fstest"
)

// TestMissingFilesCostNothing reads repeatedly where the kernel tells
// nothing, as outside Linux.
func TestMissingFilesCostNothing(t *testing.T) {
	k := newKernel(fstest.MapFS{}, 1<<30)
	var m memory
	read := func() { k.read(&m, 1<<20) }
	read()
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations per reading", n)
	}
	if m.room != 1<<30-1<<20 {
		t.Errorf("room %d", m.room)
	}
}
