package diagnose

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules"
)

// BenchmarkPair diagnoses a heap and a CPU profile of 25,000 stacks each, as
// large services have them: some 40 frames deep, in 6,000 functions.
func BenchmarkPair(b *testing.B) {
	const stacks, depth, functions = 25_000, 40, 6_000
	rng := rand.New(rand.NewPCG(1, 2))
	heap, cpu := profiletest.NewHeap(0), profiletest.NewCPU()
	frame := func() string {
		n := rng.IntN(functions)
		if n%3 == 0 {
			return fmt.Sprintf("encoding/json.f%d@/go/src/encoding/json/f%d.go:%d ", n, n%50, 10+rng.IntN(3))
		}
		return fmt.Sprintf("example.org/app/p%d.(*T).f%d@/src/app/p%d/f%d.go:%d ", n%80, n, n%80, n%400, 10+rng.IntN(3))
	}
	for range stacks {
		var s strings.Builder
		for range depth {
			s.WriteString(frame())
		}
		heap.Heap(rng.Int64N(1000), rng.Int64N(10), s.String()+profiletest.Main)
		cpu.CPU(1+rng.Int64N(3), profiletest.Malloc+s.String()+profiletest.Main)
	}
	files := []string{heap.File(b, "heap"), cpu.File(b, "cpu")}
	b.ReportAllocs()
	for b.Loop() {
		e := built(b, evidence.Runtime{}, files...)
		findings, _ := rules.Find(e)
		newDocument(e, nil, findings)
	}
}
