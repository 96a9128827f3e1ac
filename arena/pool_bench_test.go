package arena

import "testing"

// BenchmarkPool measures Get and Free, of arenas that a sync.Pool keeps and of larger
// ones on the stack.
func BenchmarkPool(b *testing.B) {
	for _, work := range []struct {
		name  string
		bytes int
	}{{"empty", 0}, {"small", large / 8}, {"large", 2 * large}} {
		data := make([]byte, work.bytes)
		one := func(p *Pool) {
			a := p.Get()
			Bytes(a, data)
			a.Free()
		}
		b.Run(work.name, func(b *testing.B) {
			var p Pool
			for b.Loop() {
				one(&p)
			}
		})
		b.Run(work.name+"/parallel", func(b *testing.B) {
			var p Pool
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					one(&p)
				}
			})
		})
	}
}
