package boxing

import (
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// program returns a random one that leaves one value.
func program(seed uint64) []code {
	r := rand.New(rand.NewPCG(seed, 1))
	p := []code{{op: 'v'}}
	for range 60 {
		if r.IntN(3) == 0 {
			p = append(p, code{op: 'v'})
		} else {
			p = append(p, code{op: 'n', n: r.Float64()})
		}
		p = append(p, code{op: "++**mp"[r.IntN(6)]})
	}
	return append(p, code{op: 'n', n: 0.5}, code{op: '<'})
}

// BenchmarkRun runs a thousand programs.
func BenchmarkRun(b *testing.B) {
	programs := make([][]code, 1000)
	for i := range programs {
		programs[i] = program(uint64(i))
	}
	run := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		for i, p := range programs {
			run(p, float64(i)/1000)
		}
	}
}

func TestSame(t *testing.T) {
	truths := 0
	for seed := range uint64(200) {
		p := program(seed)
		a, b := before(p, 0.25), after(p, 0.25)
		if a != b {
			t.Errorf("program %d: %v before, %v after", seed, a, b)
		}
		if a == true {
			truths++
		}
	}
	if truths == 0 || truths == 200 {
		t.Errorf("%d of 200 programs say true: they do not depend on what they compute", truths)
	}
	odd := []code{{op: 'v'}, {op: 'v'}, {op: '<'}, {op: 'v'}, {op: '+'}}
	if a, b := before(odd, 1), after(odd, 1); a != false || b != false {
		t.Errorf("a truth plus a number: %v before, %v after", a, b)
	}
	if a, b := before(odd[:1], 1), after(odd[:1], 1); a != 1.0 || b != 1.0 {
		t.Errorf("a number: %v before, %v after", a, b)
	}
}
