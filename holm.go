package stats

import (
	"cmp"
	"slices"
)

// Holm returns the p-values adjusted for their number by Holm's step-down
// method (Scandinavian Journal of Statistics 6, 1979), in the order given. To
// call those significant whose adjusted value is at most α makes a false call
// among all of them with a probability of at most α, however the tests depend
// on one another.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	running := 0.0
	for k, i := range order {
		running = max(running, min(1, float64(len(p)-k)*p[i]))
		adjusted[i] = running
	}
	return adjusted
}
