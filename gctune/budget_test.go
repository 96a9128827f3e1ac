package gctune

import (
	"testing"
	"time"
)

// TestBudget shows a budget one observation after another; all sizes are in MiB.
func TestBudget(t *testing.T) {
	type step struct {
		at            time.Duration
		limit, mapped uint64
		room          int64
		bytes, forGo  int64 // want; a tenth less
	}
	const s = time.Second
	for name, steps := range map[string][]step{
		"no limit is no budget":      {{0, 0, 100, 500, 0, 0}},
		"a first figure is believed": {{0, 800, 100, 600, 700, 630}},
		"mapped and not charged":     {{0, 800, 100, 740, 800, 720}, {tick / 4, 800, 100, 690, 750, 675}},
		"a lower figure at once":     {{0, 800, 100, 600, 700, 630}, {tick / 4, 800, 100, 500, 600, 540}},
		"a higher figure slowly":     {{0, 800, 100, 400, 500, 450}, {3 * s, 800, 100, 600, 520, 468}},
		"a resize starts again":      {{0, 800, 100, 400, 500, 450}, {tick / 4, 1600, 100, 1300, 1400, 1260}},
		"a limit that goes away":     {{0, 800, 100, 400, 500, 450}, {s, 0, 100, 0, 0, 0}},
		"others use more than limit": {{0, 800, 100, -200, -100, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var b budget
			for i, l := range steps {
				b = b.learn(l.at, &memory{limit: l.limit << 20, room: l.room << 20}, l.mapped<<20)
				if l.limit == 0 {
					if b.known {
						t.Errorf("step %d: known without a limit", i)
					}
					continue
				}
				if got := (b.bytes + 1<<19) >> 20; !b.known || got != l.bytes {
					t.Errorf("step %d: %d MiB, want %d", i, got, l.bytes)
				}
				if got := (b.forGo(0) + 1<<19) >> 20; got != l.forGo {
					t.Errorf("step %d: %d MiB for Go, want %d", i, got, l.forGo)
				}
				// Room for the allocations of a stall stays free, within bounds.
				if got, want := b.forGo(1e12), b.forGo(0)-b.bytes/100*(mostMargin-leastMargin); l.forGo > 0 && got != want {
					t.Errorf("step %d: %d bytes for a Go that allocates a terabyte a second, want %d", i, got, want)
				}
				if b.nonGo() != int64(l.limit<<20)-b.bytes {
					t.Errorf("step %d: %d and %d are not the limit", i, b.nonGo(), b.bytes)
				}
			}
		})
	}
}
