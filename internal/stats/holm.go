package stats

import (
	"cmp"
	"slices"
)

// Holm returns the levels of Holm's step-down method (Scandinavian Journal of
// Statistics 6, 1979). If each p[i] ≤ levels[i] is called significant, the probability
// of even one false call is at most alpha, however the tests depend on one another.
// The k-th smallest p-value has the level alpha/(m-k+1), up to the first that fails;
// that one and all after it share its level. Equal p-values have the same level.
//
// Levels instead of adjusted p-values, because an interval made at levels[i]
// says the same as the test.
func Holm(p []float64, alpha float64) (levels []float64) {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	levels = make([]float64, len(p))
	level, failed := 0.0, false
	for k, i := range order {
		tied := k > 0 && p[order[k-1]] == p[i]
		if !failed && !tied {
			level = alpha / float64(len(p)-k)
			failed = p[i] > level
		}
		levels[i] = level
	}
	return levels
}
