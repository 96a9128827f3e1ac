package slab

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func formulas(n int) []string {
	r := rand.New(rand.NewPCG(1, 1))
	all := make([]string, n)
	for i := range all {
		var f strings.Builder
		write(&f, r, 7)
		all[i] = f.String()
	}
	return all
}

func write(f *strings.Builder, r *rand.Rand, depth int) {
	if depth == 0 || r.IntN(8) == 0 {
		f.WriteByte("0123456789xxxx"[r.IntN(14)])
		return
	}
	f.WriteByte('(')
	write(f, r, depth-1)
	f.WriteByte("+-*"[r.IntN(3)])
	write(f, r, depth-1)
	f.WriteByte(')')
}

func BenchmarkEval(b *testing.B) {
	all := formulas(1000)
	eval := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		eval(all, 0.5)
	}
}

func TestSame(t *testing.T) {
	all := append(formulas(100), "1+2*x-(3+4)*2")
	if a, b := before(all, 0.5), after(all, 0.5); a != b {
		t.Errorf("%v before, %v after", a, b)
	}
	if got := after(all[100:], 5); got != -3 {
		t.Errorf("%s is %v, want -3", all[100], got)
	}
}
