package trees

import "testing"

var sum int

// kept lives all the time, as in the original, and so does its memory.
var (
	keeper = begin()
	kept   = build(keeper, 14)
)

func BenchmarkTree(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		sum += tree(12)
	}
	sum += kept.check()
	keeper.keep()
}

func TestTree(t *testing.T) {
	if n := tree(3); n != 15 {
		t.Errorf("a tree of four levels has %d nodes", n)
	}
}
