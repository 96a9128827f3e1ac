package hard

import "testing"

func BenchmarkAlloc(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Sink = make([]byte, 1<<10)
	}
}
