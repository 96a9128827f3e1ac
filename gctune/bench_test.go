package gctune

import (
	"os"
	"testing"
)

// BenchmarkQuiet is the cost of a second in which nothing happens.
func BenchmarkQuiet(b *testing.B) {
	p := newLive(os.DirFS("/"), 8<<30)
	defer p.close()
	p.observe(new(observation))
	b.ReportAllocs()
	for b.Loop() {
		if !p.quiet() {
			p.observe(new(observation))
		}
	}
}

// BenchmarkObserve is the cost of each collection and each second: observe the
// runtime and, in the sub-benchmark kernel, the kernel's files; decide.
func BenchmarkObserve(b *testing.B) {
	for _, bb := range []struct {
		name   string
		kernel bool
	}{{"runtime", false}, {"kernel", true}} {
		b.Run(bb.name, func(b *testing.B) {
			o, err := Options{Limit: 8 << 30, Logger: quiet}.filled()
			if err != nil {
				b.Fatal(err)
			}
			p := newLive(os.DirFS("/"), o.Limit)
			tn, err := newTuner(o, p, nil, p.close)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { close(tn.done); tn.end() }()
			b.ReportAllocs()
			for b.Loop() {
				if bb.kernel {
					p.readAt = -memoryEvery
				}
				p.observe(&tn.seen)
				tn.apply()
			}
		})
	}
}
