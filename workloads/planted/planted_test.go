package planted

import "testing"

var (
	sink uint64
	head *box
)

func BenchmarkHash(b *testing.B) {
	data := make([]byte, 1<<10)
	b.ReportAllocs()
	for range b.N {
		sink += hash(data)
	}
}

func BenchmarkBoxes(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		head = boxes()
	}
}

// TestPlanted holds the regressions to their size.
func TestPlanted(t *testing.T) {
	if cpuUnits != 100 && cpuUnits != 110 {
		t.Errorf("%d units of CPU", cpuUnits)
	}
	want := float64(allocUnits)
	if got := testing.AllocsPerRun(10, func() { head = boxes() }); got != want {
		t.Errorf("%v allocations, want %v", got, want)
	}
	if allocUnits != 100 && allocUnits != 105 && allocUnits != 106 {
		t.Errorf("%d allocations", allocUnits)
	}
}
