package gctune

import (
	"flag"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The module requires nothing, not even for its tests: their imports would be summed
// in the go.sum of everybody who imports gctune.

var (
	propertySeed = flag.Uint64("property.seed", 0, "check properties for the inputs of this `SEED` alone, which a failure names")
	propertyRuns = flag.Int("property.runs", 200, "check each property for this `NUMBER` of inputs")
)

// property calls check with random inputs and names the seed of those for which
// it fails.
func property(t *testing.T, check func(*draws)) {
	t.Helper()
	if *propertySeed != 0 {
		check(newDraws(t, *propertySeed))
		return
	}
	for range *propertyRuns {
		seed := rand.Uint64()
		func() {
			defer func() {
				if t.Failed() {
					t.Logf("run %s again with -property.seed=%d", t.Name(), seed)
				}
			}()
			check(newDraws(t, seed))
		}()
	}
}

// draws are the random inputs of one check.
type draws struct {
	*testing.T
	random *rand.Rand
}

func newDraws(t *testing.T, seed uint64) *draws {
	return &draws{t, rand.New(rand.NewPCG(seed, seed))}
}

// uint64Range returns a number in [least, most]. One in eight is a bound; of
// the others, half are of every magnitude alike, as small ones are special.
func (d *draws) uint64Range(least, most uint64) uint64 {
	span := most - least
	switch d.random.IntN(16) {
	case 0:
		return least
	case 1:
		return most
	case 2, 3, 4, 5, 6, 7, 8:
		span = min(span, 1<<d.random.IntN(bits.Len64(span)+1)-1)
	}
	if span == math.MaxUint64 {
		return d.random.Uint64()
	}
	return least + d.random.Uint64N(span+1)
}

func (d *draws) intRange(least, most int) int {
	return least + int(d.uint64Range(0, uint64(most-least)))
}

// float64Range returns a number in [least, most], a bound in one of eight.
func (d *draws) float64Range(least, most float64) float64 {
	switch d.random.IntN(16) {
	case 0:
		return least
	case 1:
		return most
	}
	return least + (most-least)*d.random.Float64()
}

func (d *draws) bool() bool { return d.random.IntN(2) == 0 }

// pick returns one of the values.
func pick[T any](d *draws, values ...T) T { return values[d.random.IntN(len(values))] }
