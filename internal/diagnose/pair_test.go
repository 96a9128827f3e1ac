package diagnose

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkPair diagnoses a heap and a CPU profile of 25,000 stacks each, as
// large services have them: some 40 frames deep, in 6,000 functions.
func BenchmarkPair(b *testing.B) {
	const stacks, depth, functions = 25_000, 40, 6_000
	rng := rand.New(rand.NewPCG(1, 2))
	heap, cpu := madeHeap(0), madeCPU()
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
		heap.heap(rng.Int64N(1000), rng.Int64N(10), s.String()+root)
		cpu.cpu(1+rng.Int64N(3), malloc+s.String()+root)
	}
	files := []string{heap.file(b, "heap"), cpu.file(b, "cpu")}
	b.ReportAllocs()
	for b.Loop() {
		e := gathered(b, Runtime{}, files...)
		findings, _ := e.Find()
		e.Document(findings)
	}
}
