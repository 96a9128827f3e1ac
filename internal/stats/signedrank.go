package stats

import (
	"math"
	"slices"
	"sync"
)

// P returns the exact two-sided p-value of the Wilcoxon signed-rank test of no
// shift: how often a random choice of the differences' signs gives a rank sum
// at least as far from its mean as the one observed. It lies in (0, 1].
//
// Ties share their mid-rank, and the distribution is computed from the observed
// mid-ranks, so that it stays exact. Zeros are ranked with the others but have
// no sign to choose (Pratt, JASA 54, 1959). Dropping them before ranking, as
// Wilcoxon did, has the fault that a pair which speaks for "no shift" can turn
// a result significant. Where all differences are zero, p is 1.
//
// It takes O(n³) time: 1 ms for n = 100, 10 ms for n = 200.
func (p *Differences) P() float64 {
	ranks, positive := signedRanks(p.d)
	total := 0
	for _, r := range ranks {
		total += r
	}
	// The distribution is symmetric around total/2: double the smaller tail.
	low := min(positive, total-positive)
	tail := 0.0
	for _, prob := range rankSums(ranks)[:low+1] {
		tail += prob
	}
	return min(1, 2*tail)
}

// signedRanks returns twice the mid-ranks (so that they are whole) of the
// differences that are not zero, and the sum of those that are positive.
func signedRanks(d []float64) (ranks []int, positive int) {
	s := slices.Clone(d)
	slices.SortFunc(s, func(a, b float64) int {
		switch a, b := math.Abs(a), math.Abs(b); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && math.Abs(s[j]) == math.Abs(s[i]) {
			j++
		}
		twice := i + 1 + j // first rank i+1, last rank j: twice their mean
		for _, x := range s[i:j] {
			if x != 0 {
				ranks = append(ranks, twice)
			}
			if x > 0 {
				positive += twice
			}
		}
		i = j
	}
	return ranks, positive
}

// rankSums returns, for each s, the probability that the ranks whose sign
// turns out positive add up to s, each sign being a fair coin.
func rankSums(ranks []int) []float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	prob := make([]float64, total+1)
	prob[0] = 1
	top := 0
	for _, r := range ranks {
		top += r
		for s := top; s >= 0; s-- {
			if s >= r {
				prob[s] = prob[s]/2 + prob[s-r]/2
			} else {
				prob[s] /= 2
			}
		}
	}
	return prob
}

// tails caches nullTail's answers by n: every effect of an experiment asks for
// the same one.
var tails sync.Map // int → []float64

// nullTail returns P(W ≤ w) for w = 0…n(n+1)/2, where W is the signed-rank sum
// of n differences without ties or zeros under no shift.
func nullTail(n int) []float64 {
	if t, ok := tails.Load(n); ok {
		return t.([]float64)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	cdf := rankSums(ranks)
	for w := 1; w < len(cdf); w++ {
		cdf[w] += cdf[w-1]
	}
	tails.Store(n, cdf)
	return cdf
}
