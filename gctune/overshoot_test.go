package gctune

import (
	"testing"
	"time"
)

func TestOvershoot(t *testing.T) {
	type look struct {
		at               time.Duration
		over, most, want int64
	}
	for name, looks := range map[string][]look{
		"under the limit":              {{0, -50, 1000, 0}},
		"once over":                    {{0, 80, 1000, 80}, {time.Second, -50, 1000, 80}},
		"no more than counts":          {{0, 5000, 1000, 1000}},
		"a smaller one adds nothing":   {{0, 800, 1000, 800}, {0, 300, 1000, 800}},
		"a larger one replaces it":     {{0, 300, 1000, 300}, {0, 800, 1000, 800}},
		"most is forgotten in minutes": {{0, 1000, 1000, 1000}, {forgetOvershoot / 2, -1, 1000, 500}, {forgetOvershoot, -1, 1000, 250}},
		"all of it in a long sleep":    {{0, 1000, 1000, 1000}, {2 * forgetOvershoot, -1, 1000, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var v overshoot
			for i, l := range looks {
				if v = v.learn(l.at, l.over, l.most); max(v.bytes-l.want, l.want-v.bytes) > 3 {
					t.Errorf("look %d: %d, want %d", i, v.bytes, l.want)
				}
			}
		})
	}
}
