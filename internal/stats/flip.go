package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// exactFlips is the number of pairs up to which all choices of signs are tried
// instead of a sample: 2⁹ up to a reversal of all signs, which changes only the
// sign of an estimate.
const exactFlips = 10

// FlipQuantile returns the q-quantile of |estimate| over choices of the
// differences' signs: how large a Hodges-Lehmann estimate these differences
// give by chance, where there is no shift. All choices are tried for up to ten
// pairs, otherwise as many random ones as given, from a fixed seed: the same
// differences always give the same answer.
func FlipQuantile(d []float64, q float64, choices int) float64 {
	if len(d) == 0 {
		return math.NaN()
	}
	if !slices.ContainsFunc(d, func(x float64) bool { return x != 0 }) {
		return 0
	}
	exact := len(d) <= exactFlips
	if exact {
		choices = 1 << (len(d) - 1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	flipped := make([]float64, len(d))
	var walsh []float64
	sizes := make([]float64, choices)
	for c := range sizes {
		signs := uint64(c)
		for i, x := range d {
			if !exact && i%64 == 0 {
				signs = random.Uint64()
			}
			if signs&1 == 1 {
				x = -x
			}
			flipped[i] = x
			signs >>= 1
		}
		walsh = walshAverages(flipped, walsh[:0])
		sizes[c] = math.Abs(medianSelect(walsh))
	}
	return Quantile(sizes, q)
}
