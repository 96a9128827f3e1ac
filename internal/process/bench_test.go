package process

import (
	"os"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

// BenchmarkRun tells the cost of a run beside the target, and how much of the
// peak RSS is not the target's.
func BenchmarkRun(b *testing.B) {
	path := processtest.Target(b)
	for _, way := range []string{"starter", "direct"} {
		b.Run(way, func(b *testing.B) {
			if way == "direct" {
				withoutStarter(b)
			}
			var out Outcome
			for b.Loop() {
				out = mustRun(b, Command{Path: path, Args: []string{"nothing"}})
			}
			b.ReportMetric(float64(out.Usage.Floor), "floor-bytes")
			b.ReportMetric(float64(out.Usage.PeakRSS), "peak-RSS-bytes")
		})
	}
}

func BenchmarkCopyBinary(b *testing.B) {
	path := processtest.Target(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		copied, err := CopyBinary(path, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		os.Remove(copied)
	}
}
