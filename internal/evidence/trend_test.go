package evidence

import (
	"math/rand/v2"
	"testing"
)

// watched returns the heap profiles' estimates of the bytes in a container, one entry
// being one sample of 512 KiB: entries come and go as step says.
func watched(points int, step func(t, live float64) (added, removed float64)) *history {
	h := &history{}
	live, made := 0.0, 0.0
	amount := func(samples float64) Amount { return Amount{samples * defaultRate, samples * 512} }
	const steps = 100 // between two profiles
	for i := range points * steps {
		added, removed := step(float64(i)/float64(points*steps), live)
		live, made = max(0, live+added-removed), made+added
		if i%steps == 0 {
			h.live, h.alloc = append(h.live, amount(live)), append(h.alloc, amount(made))
		}
	}
	return h
}

func everyThreeSeconds(points int) []float64 {
	hours := make([]float64, points)
	for i := range hours {
		hours[i] = float64(i) * 3 / 3600
	}
	return hours
}

// Each shape is drawn a hundred times: a steady one may grow by chance as
// rarely as the interval says, a growing one has to be seen nearly always.
func TestTrendOfShapes(t *testing.T) {
	poisson := func(r *rand.Rand, mean float64) (n float64) {
		for p := r.ExpFloat64(); p < mean; p += r.ExpFloat64() {
			n++
		}
		return n
	}
	type step func(r *rand.Rand) func(t, live float64) (float64, float64)
	shapes := map[string]struct {
		grows bool
		step  step
	}{
		"leak": {true, func(r *rand.Rand) func(float64, float64) (float64, float64) {
			return func(float64, float64) (float64, float64) { return poisson(r, 0.05), 0 }
		}},
		"cache whose entries replace each other": {false, func(r *rand.Rand) func(float64, float64) (float64, float64) {
			first := true
			return func(float64, float64) (float64, float64) {
				if first {
					first = false
					return 100, 0
				}
				return poisson(r, 0.05), poisson(r, 0.05)
			}
		}},
		"cache that is full after a third": {false, func(r *rand.Rand) func(float64, float64) (float64, float64) {
			return func(at, live float64) (float64, float64) {
				added := poisson(r, 0.1)
				if at < 1.0/3 {
					return added, 0
				}
				return added, poisson(r, 0.1)
			}
		}},
		"sweep every five seconds": {false, func(r *rand.Rand) func(float64, float64) (float64, float64) {
			last := 0.0
			return func(at, live float64) (float64, float64) {
				if at-last > 5.0/30 {
					last = at
					return 0, live
				}
				return poisson(r, 0.1), 0
			}
		}},
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			r, found := rand.New(rand.NewPCG(1, 2)), 0
			for range 100 {
				g := watched(10, shape.step(r)).growth(everyThreeSeconds(10), defaultRate)
				if g.Grows() {
					found++
				}
			}
			if shape.grows && found < 95 || !shape.grows && found > 3 {
				t.Errorf("%d of 100 grow", found)
			}
		})
	}
}

func TestTwoProfilesAreNoTrend(t *testing.T) {
	h := &history{live: []Amount{{1e9, 1e3}, {2e9, 2e3}}, alloc: []Amount{{1e9, 1e3}, {2e9, 2e3}}}
	if g := h.growth([]float64{0, 1}, defaultRate); g.Grows() || g.Enough <= g.Span {
		t.Errorf("%+v", g)
	}
}
