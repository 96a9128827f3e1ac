package main

import (
	"math"
	"math/rand/v2"
)

// noise is a model of the variation between runs. start takes the number of runs
// of the experiment and of each block. It returns a function that draws, for one
// run after the other, the natural logarithm of the factor by which it is slower.
type noise struct {
	name  string
	start func(r *rand.Rand, runs, block int) func() float64
}

// The noises. The figures are for one run; a difference of two has √2 times as much.
var noises = []noise{
	{"calm: normal, 3%", func(r *rand.Rand, _, _ int) func() float64 {
		return func() float64 { return 0.03 * r.NormFloat64() }
	}},
	{"heavy tails: Student's t with 2 degrees of freedom, 2%", func(r *rand.Rand, _, _ int) func() float64 {
		return func() float64 { return 0.02 * student2(r) }
	}},
	{"spikes: one run in ten is slower, by 30% on average", func(r *rand.Rand, _, _ int) func() float64 {
		return func() float64 {
			x := 0.01 * r.NormFloat64()
			if r.Float64() < 0.1 {
				x += 0.3 * r.ExpFloat64()
			}
			return x
		}
	}},
	{"two speeds: half of the runs are 15% slower, normal 1%", func(r *rand.Rand, _, _ int) func() float64 {
		return func() float64 { return 0.14*float64(r.IntN(2)) + 0.01*r.NormFloat64() }
	}},
	{"rounded: normal, 3%, in steps of 5%", func(r *rand.Rand, _, _ int) func() float64 {
		return func() float64 { return 0.05 * math.Round(0.03*r.NormFloat64()/0.05) }
	}},
	{"drift: 50% slower from first to last run, normal 3%", func(r *rand.Rand, runs, _ int) func() float64 {
		at := 0.0
		return func() float64 {
			at++
			return 0.4*at/float64(runs) + 0.03*r.NormFloat64()
		}
	}},
	{"every block at a speed of its own, 20%, normal 2%", func(r *rand.Rand, _, block int) func() float64 {
		at, speed := 0, 0.0
		return func() float64 {
			if at%block == 0 {
				speed = 0.2 * r.NormFloat64()
			}
			at++
			return speed + 0.02*r.NormFloat64()
		}
	}},
	{"random walk, 2% a run", func(r *rand.Rand, _, _ int) func() float64 {
		at := 0.0
		return func() float64 {
			at += 0.02 * r.NormFloat64()
			return at
		}
	}},
	{"a neighbour: comes and goes about every 15 runs, 25% slower, normal 2%",
		func(r *rand.Rand, _, _ int) func() float64 {
			there := false
			return func() float64 {
				if r.IntN(15) == 0 {
					there = !there
				}
				x := 0.02 * r.NormFloat64()
				if there {
					x += 0.22
				}
				return x
			}
		}},
}

// student2 draws from Student's t distribution with two degrees of freedom,
// whose variance is infinite, by its inverse distribution function.
func student2(r *rand.Rand) float64 {
	u := r.Float64() + 0x1p-54 // never 0
	return (2*u - 1) / math.Sqrt(2*u*(1-u))
}
