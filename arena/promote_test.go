package arena

import (
	"runtime/debug"
	"testing"
)

// TestPromoteLongList needs less stack than a recursion for each node would.
func TestPromoteLongList(t *testing.T) {
	const length = 100_000
	defer debug.SetMaxStack(debug.SetMaxStack(16 << 20))
	a := NewArena()
	var list *node
	for i := range length {
		n := New[node](a)
		n.value, n.left = i, list
		list = n
	}
	got := Promote(list)
	a.Free()
	for i := length - 1; i >= 0; i-- {
		if got == nil || got.value != i {
			t.Fatalf("node %d is %+v", i, got)
		}
		got = got.left
	}
	if got != nil {
		t.Errorf("the list goes on with %+v", got)
	}
}
