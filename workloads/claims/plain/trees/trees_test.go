package trees

import (
	"runtime/metrics"
	"testing"
)

var sum int

// kept lives all the time, as in the original, and so does its memory.
var (
	keeper = begin()
	kept   = build(keeper, 14)
)

// collecting is the CPU time that collections have taken so far, in seconds.
func collecting() float64 {
	sample := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64()
}

func BenchmarkTree(b *testing.B) {
	before := collecting()
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		sum += tree(12)
	}
	sum += kept.check()
	keeper.keep()
	b.ReportMetric((collecting()-before)/float64(b.N), "gc-cpu-sec/op")
}

func TestTree(t *testing.T) {
	if n := tree(3); n != 15 {
		t.Errorf("a tree of four levels has %d nodes", n)
	}
}
