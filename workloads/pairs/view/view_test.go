package view

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// measured returns n series of a day, with a value each half minute and some gaps.
func measured(n int) []*series {
	r := rand.New(rand.NewPCG(9, 1))
	all := make([]*series, n)
	for i := range all {
		s := &series{name: fmt.Sprintf("series-%d", i), start: r.Int64N(1000), every: 30}
		s.values = make([]float64, 2880)
		for j := range s.values {
			s.values[j] = 50 + 10*math.Sin(float64(j)/300) + r.NormFloat64()
			if r.IntN(100) == 0 {
				s.values[j] = math.NaN()
			}
		}
		all[i] = s
	}
	return all
}

// alerts mostly look at an hour or two, some at half a day.
func alerts(seed uint64, n, series int) []alert {
	r := rand.New(rand.NewPCG(9, seed))
	all := make([]alert, n)
	for i := range all {
		to := 40_000 + r.Int64N(46_400)
		length := int64(60 + r.ExpFloat64()*5400)
		if r.IntN(20) == 0 {
			length = 43_200
		}
		all[i] = alert{series: r.IntN(series), from: to - length, to: to, far: 1.5 + r.Float64()}
	}
	return all
}

// BenchmarkAlert looks at a thousand alerts.
func BenchmarkAlert(b *testing.B) {
	all := measured(1000)
	alerts := alerts(2, 1000, len(all))
	look := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		look(all, alerts)
	}
}

func TestSame(t *testing.T) {
	all := measured(50)
	results := map[[2]int]bool{}
	for seed := range uint64(30) {
		some := append(alerts(seed, 200, len(all)), alert{from: 200, to: 250}, alert{from: 1 << 40, to: 1 << 41})
		fireA, unknownA := before(all, some)
		fireB, unknownB := after(all, some)
		if fireA != fireB || unknownA != unknownB {
			t.Errorf("alerts %d: %d, %d before, %d, %d after", seed, fireA, unknownA, fireB, unknownB)
		}
		if fireA == 0 || fireA > 150 || fireA == unknownA || unknownA < 2 {
			t.Errorf("alerts %d: %d fire, %d are unknown", seed, fireA, unknownA)
		}
		results[[2]int{fireA, unknownA}] = true
	}
	if len(results) < 10 {
		t.Errorf("30 lists of alerts have %d results", len(results))
	}
}
