package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Differences holds paired differences, prepared so that many intervals can be
// asked of them. It is immutable and safe for concurrent use.
type Differences struct {
	d     []float64
	walsh []float64 // sorted
}

// NewDifferences prepares the differences d, which must be finite and at least one.
// It takes O(n² log n) time and O(n²) memory: 6 MB for n = 1000.
func NewDifferences(d []float64) (*Differences, error) {
	if len(d) == 0 {
		return nil, errors.New("no differences: at least one pair is needed")
	}
	for i, x := range d {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("difference %d is %v: leave out pairs that have no finite difference", i, x)
		}
	}
	walsh := walshAverages(d, nil)
	slices.Sort(walsh)
	return &Differences{d: slices.Clone(d), walsh: walsh}, nil
}

// N returns the number of pairs.
func (p *Differences) N() int { return len(p.d) }

// Estimate returns the Hodges-Lehmann estimate of the shift: the median of the
// Walsh averages (Hodges and Lehmann, Ann. Math. Stat. 34, 1963). It withstands
// up to 29% of arbitrarily wrong pairs and loses only 5% of the mean's
// precision where the noise is normal.
func (p *Differences) Estimate() float64 { return medianSorted(p.walsh) }

// walshAverages appends all (dᵢ+dⱼ)/2 with i ≤ j to buf, unsorted. Halving
// comes first, so that the sum cannot overflow.
func walshAverages(d, buf []float64) []float64 {
	buf = slices.Grow(buf, len(d)*(len(d)+1)/2)
	for i, x := range d {
		for _, y := range d[i:] {
			buf = append(buf, x/2+y/2)
		}
	}
	return buf
}
