package main

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// A cure that allocates half of the bytes elsewhere saves between the lines' prices and half of them,
// and the noise of its measurement counts once.
func TestSavesPart(t *testing.T) {
	line := &rules.Finding{Price: &rules.Price{Low: 0.2, High: 0.3, Estimate: evidence.Range{}}}
	a := answer{Lines: []*rules.Finding{line, line}, Bytes: 0.8, Objects: 1}
	for name, c := range map[string]struct {
		cure  saving
		noise float64
		want  evidence.Range
	}{
		"all":            {saving{bytes: 0.8, objects: 1}, 0, evidence.Range{Low: 0.4, High: 0.6}},
		"half the bytes": {saving{bytes: 0.4, objects: 1}, 0, evidence.Range{Low: 0.2, High: 0.6}},
		"noise":          {saving{bytes: 0.8, objects: 1}, 0.15, evidence.Range{Low: 0.375, High: 0.625}},
	} {
		line.Price.Noise = c.noise
		got := a.saves(c.cure)
		if got.Low < c.want.Low-1e-6 || got.Low > c.want.Low+1e-6 || got.High < c.want.High-1e-6 || got.High > c.want.High+1e-6 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
