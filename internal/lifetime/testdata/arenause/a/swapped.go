package a

import "github.com/heapwright/heapwright/arena"

// A number on the left decides the same as one on the right.
func heavy(parcel string, weight int) int {
	a := arena.NewArena()
	label := arena.New[string](a)
	*label = parcel
	if 0 < weight {
		a.Free()
	}
	if weight > 0 {
		return len(*label) // want `label is used after a.Free`
	}
	return 0
}
