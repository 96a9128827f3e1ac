package flame

import (
	"math"

	"github.com/heapwright/heapwright/internal/cost"
)

// Totals returns by node the sum of a column there and below, in its unit.
func (t *Tree) Totals(column int) []int64 { return t.below(t.Self[column]) }

// BaseTotals is Totals of the base; nil without one.
func (t *Tree) BaseTotals(column int) []int64 {
	if t.Base == nil {
		return nil
	}
	return t.below(t.Base[column])
}

func (t *Tree) below(self []int64) []int64 {
	sums := append([]int64(nil), self...)
	for node := len(sums) - 1; node > 0; node-- {
		sums[t.Parent[node]] += sums[node]
	}
	return sums
}

// Weights returns by node how wide it is: the sum of the stacks that end there and
// below without signs, because a profile may be a difference itself. Beside a base a
// stack is as wide as the larger of its two values, so that one which is gone
// keeps its place.
func (t *Tree) Weights(column int) []float64 {
	sums, scale := make([]float64, len(t.Parent)), t.Scale(column)
	for node := len(sums) - 1; node >= 0; node-- {
		w := math.Abs(float64(t.Self[column][node]))
		if t.Base != nil {
			w = max(w, scale*math.Abs(float64(t.Base[column][node])))
		}
		sums[node] += w
		if node > 0 {
			sums[t.Parent[node]] += sums[node]
		}
	}
	return sums
}

// Scale returns the factor for values of the base: 1 unless they are normalized.
func (t *Tree) Scale(column int) float64 {
	if t.Base == nil || !t.Normalized {
		return 1
	}
	var after, before float64
	for node := range t.Parent {
		after += float64(t.Self[column][node])
		before += float64(t.Base[column][node])
	}
	if before == 0 || after == 0 {
		return 1 // nothing that a factor could make equal
	}
	return after / before
}

// Stacks returns how many distinct stacks a column has, and how many of them are
// in the base alone.
func (t *Tree) Stacks(column int) (all, gone int) {
	for node, self := range t.Self[column] {
		switch {
		case self != 0:
			all++
		case t.Base != nil && t.Base[column][node] != 0:
			all++
			gone++
		}
	}
	return all, gone
}

// dominant returns by node the cost class that has most of a column, nil where
// there are none to show.
func (t *Tree) dominant(column int) []cost.Class {
	if t.class == nil || t.Base != nil {
		return nil
	}
	of, best := make([]cost.Class, len(t.Parent)), make([]float64, len(t.Parent))
	sums := make([]float64, len(t.Parent))
	for _, class := range cost.Classes() {
		clear(sums)
		for node := len(sums) - 1; node >= 0; node-- {
			if t.class[node] == uint8(class) {
				sums[node] += math.Abs(float64(t.Self[column][node]))
			}
			if node > 0 {
				sums[t.Parent[node]] += sums[node]
			}
			if sums[node] > best[node] {
				of[node], best[node] = class, sums[node]
			}
		}
	}
	return of
}
