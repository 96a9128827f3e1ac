package clones

import "testing"

var sum int

func BenchmarkClone(b *testing.B) {
	for _, cell := range []struct {
		name    string
		size, n int
	}{{"256Bx8", 256, 8}, {"1KiBx8", 1 << 10, 8}, {"4KiBx1", 4 << 10, 1}, {"4KiBx32", 4 << 10, 32}} {
		cell := cell // one for all iterations before Go 1.22
		b.Run(cell.name, func(b *testing.B) {
			payload := make([]byte, cell.size)
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				sum += fan(payload, cell.n)
			}
		})
	}
}

func TestFan(t *testing.T) {
	if got := fan([]byte{1, 2, 3}, 8); got != 32 {
		t.Errorf("8 copies add up to %d", got)
	}
}
