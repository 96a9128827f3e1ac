package gctune

import (
	"testing"
	"time"
)

// TestBudget shows a budget one look after another; all sizes are in MiB.
func TestBudget(t *testing.T) {
	type look struct {
		at            time.Duration
		limit, mapped uint64
		room          int64
		bytes, forGo  int64 // want; the margin is 16 of 800
	}
	const s = time.Second
	for name, looks := range map[string][]look{
		"no limit is no budget":           {{0, 0, 100, 500, 0, 0}},
		"a first look is believed":        {{0, 800, 100, 600, 700, 684}},
		"mapped and not charged":          {{0, 800, 100, 740, 800, 784}, {tick / 4, 800, 100, 690, 750, 734}},
		"a lower figure at once":          {{0, 800, 100, 600, 700, 684}, {tick / 4, 800, 100, 500, 600, 584}},
		"what was lost is lost again":     {{0, 800, 100, 600, 700, 684}, {s, 800, 100, 560, 660, 604}},
		"but no more than an eighth":      {{0, 800, 100, 600, 700, 684}, {s, 800, 100, 300, 400, 284}},
		"a higher figure slowly":          {{0, 800, 100, 400, 500, 484}, {3 * s, 800, 100, 600, 520, 504}},
		"a resize begins anew":            {{0, 800, 100, 400, 500, 484}, {tick / 4, 1600, 100, 1300, 1400, 1368}},
		"a limit that goes away":          {{0, 800, 100, 400, 500, 484}, {s, 0, 100, 0, 0, 0}},
		"a credit is at most a sixteenth": {{0, 800, 400, 700, 800, 784}, {tick / 4, 800, 400, 440, 790, 774}},
	} {
		t.Run(name, func(t *testing.T) {
			var b budget
			for i, l := range looks {
				b = b.learn(l.at, &memory{limit: l.limit << 20, room: l.room << 20}, l.mapped<<20)
				if l.limit == 0 {
					if b.known {
						t.Errorf("look %d: known without a limit", i)
					}
					continue
				}
				if got := (b.bytes + 1<<19) >> 20; !b.known || got != l.bytes {
					t.Errorf("look %d: %d MiB, want %d", i, got, l.bytes)
				}
				if got := (b.forGo() + 1<<19) >> 20; got != l.forGo {
					t.Errorf("look %d: %d MiB for Go, want %d", i, got, l.forGo)
				}
				if b.nonGo() != int64(l.limit<<20)-b.bytes {
					t.Errorf("look %d: %d and %d are not the limit", i, b.nonGo(), b.bytes)
				}
			}
		})
	}
}
