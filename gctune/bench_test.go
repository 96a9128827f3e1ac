package gctune

import (
	"os"
	"testing"
)

// BenchmarkLook is what each collection and each second costs: look at the
// runtime and, in the sub-benchmark kernel, at the kernel's files; decide.
func BenchmarkLook(b *testing.B) {
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
