package clean

import "github.com/heapwright/heapwright/arena"

// Only a parcel without a weight still has its label.
func weightless(parcel string, weight int) int {
	a := arena.NewArena()
	label := arena.New[string](a)
	*label = parcel
	if 0 < weight {
		a.Free()
	}
	if weight <= 0 {
		n := len(*label)
		a.Free()
		return n
	}
	return 0
}
