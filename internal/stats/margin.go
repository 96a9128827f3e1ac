package stats

import "sort"

// Beyond returns the exact p-value against the hypothesis that the shift lies
// within the margin ±delta: the smallest alpha whose Interval lies wholly
// outside [-delta, delta], or 1 if there is none. A small value says that the
// shift is larger than delta, in the direction of Estimate.
func (p *Differences) Beyond(delta float64) float64 {
	return p.level(min(p.atMost(delta), p.atLeast(-delta)))
}

// Within returns the exact p-value against the hypothesis that the shift is
// delta or larger, in either direction: the smallest alpha whose Interval lies
// wholly inside (-delta, delta), or 1 if there is none. A small value says that
// the shift is smaller than delta. The value is twice the p-value of the two
// one-sided tests of equivalence (Schuirmann, J. Pharmacokinet. Biopharm. 15,
// 1987), so that Within and Beyond decide by the same two-sided interval.
func (p *Differences) Within(delta float64) float64 {
	return p.level(max(p.atMost(-delta), p.atLeast(delta)))
}

// level returns the smallest alpha whose Interval leaves out the k smallest
// and the k largest Walsh averages.
func (p *Differences) level(k int) float64 {
	if k >= (len(p.walsh)+1)/2 {
		return 1
	}
	return min(1, 2*nullTail(p.N())[k])
}

// atMost returns how many Walsh averages are x or less.
func (p *Differences) atMost(x float64) int {
	return sort.Search(len(p.walsh), func(i int) bool { return p.walsh[i] > x })
}

// atLeast returns how many Walsh averages are x or more.
func (p *Differences) atLeast(x float64) int {
	return len(p.walsh) - sort.SearchFloat64s(p.walsh, x)
}
