package gctune

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestTrend feeds a live heap, in MiB as a function of seconds, for five minutes.
func TestTrend(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := func(x float64) float64 { return x * (1 + 0.1*random.Float64()) }
	for name, tt := range map[string]struct {
		live  func(s float64) float64
		rises bool
	}{
		"a leak":                        {func(s float64) float64 { return 50 + 4*s }, true},
		"a leak and noise":              {func(s float64) float64 { return noise(50 + 4*s) }, true},
		"a heap that stands, and noise": {func(float64) float64 { return noise(400) }, false},
		"a swing":                       {func(s float64) float64 { return 50 + float64(int(s)%12)*30 }, false},
		"a burst of 25 s":               {func(s float64) float64 { return 50 + 5*max(0, min(s-100, 25)) }, false},
		"a cache that fills for 25 s":   {func(s float64) float64 { return 50 + min(s, 25)*5 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var tr trend
			rose, first := false, 0.0
			for s := 0.0; s < 300; s += 0.2 {
				now := time.Duration(s * float64(time.Second))
				tr = tr.learn(now, uint64(tt.live(s)*(1<<20)))
				if !rose && tr.rising() {
					rose, first = true, s
				}
			}
			if rose != tt.rises || rose && (first < 50 || first > 70) {
				t.Errorf("rising is %v, from second %.0f on", rose, first)
			}
			if want := uint64(tt.live(300) * (1 << 20)); rose && (tr.expected(300*time.Second) < want*85/100 || tr.expected(300*time.Second) > want*105/100) {
				t.Errorf("%d MiB are expected, there are %d", tr.expected(300*time.Second)>>20, want>>20)
			}
		})
	}
}
