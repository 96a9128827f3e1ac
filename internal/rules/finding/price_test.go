package finding

import (
	"math"
	"slices"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
)

// Lines are ordered by their measured prices. A setting keeps its place, and so does test code.
func TestByPrice(t *testing.T) {
	of := func(title string, ceiling, price float64) Finding {
		f := Finding{Title: title, Line: 1, CPU: evidence.Range{High: ceiling}}
		if price > 0 {
			f.Price = &Price{High: price}
		}
		return f
	}
	all := []Finding{of("dear", 0.6, 0.05), of("setting", 0.5, 0), of("cheap", 0.2, 0.15), of("unknown", 0.1, 0), of("refused", 0.08, 0), of("test", 0.9, 0)}
	all[1].Spares = true
	all[4].Price = &Price{Why: "its file cannot be read", High: 1}
	all[5].Start = true
	ByPrice(all)
	var got []string
	for _, f := range all {
		got = append(got, f.Title)
	}
	if want := []string{"cheap", "setting", "unknown", "refused", "dear", "test"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A patch's own saving is the most exact. Else extra executions and samples are joined.
func TestSaves(t *testing.T) {
	const failed = "no pairs"
	between := func(low, high float64) *Price { return &Price{Low: low, High: high} }
	for name, c := range map[string]struct {
		price     Price
		low, high float64 // 0 to 0: none
	}{
		"nothing":        {price: Price{Why: failed}},
		"expression":     {price: Price{Low: 0.4, High: 0.6}, low: 0.4, high: 0.6},
		"memory as well": {price: Price{Low: 0.4, High: 0.6, Memory: between(0.2, 0.3)}, low: 0.2, high: 0.6},
		"memory with more noise": {
			price: Price{Low: 0.4, High: 0.6, Memory: between(-0.5, 2)}, low: 0.4, high: 0.6,
		},
		"the same by samples": {
			price: Price{Low: 0.4, High: 0.6, Estimate: evidence.Range{Low: 0.4, High: 0.6}}, low: 0.420, high: 0.580,
		},
		"apart": {
			price: Price{Low: 0.19, High: 0.21, Estimate: evidence.Range{Low: 0.5, High: 0.9}}, low: 0.129, high: 0.301,
		},
		"work that may stay": {price: Price{Low: 0.4, High: 0.6, Work: 0.1}, low: 0.3, high: 0.6},
		"data that a remedy may store": {
			price: Price{Low: 0.4, High: 0.6, Stores: true, Estimate: evidence.Range{Low: 0.3, High: 0.7}},
			low:   0.3, high: 0.61,
		},
		"much noise": {price: Price{Low: 0.47, High: 0.53, Noise: 0.08}, low: 0.45, high: 0.55},
		"memory alone": {
			price: Price{Why: failed, Memory: between(0.1, 0.2), Estimate: evidence.Range{Low: 0.3, High: 0.5}, Work: 0.2},
			low:   0.3, high: 0.7,
		},
		"a patch": {price: Price{Low: 0.1, High: 0.2, Patch: between(0.35, 0.4)}, low: 0.35, high: 0.4},
		"a patch that failed": {
			price: Price{Low: 0.1, High: 0.2, Patch: &Price{Why: failed, High: 1}}, low: 0.1, high: 0.2,
		},
		"an arena": {
			price: Price{Low: 0.3, High: 0.6, Patch: &Price{Low: 0.35, High: 0.4, Floor: true}}, low: 0.35, high: 0.6,
		},
		"an arena that saves more than the expression": {
			price: Price{
				Low: 0.1, High: 0.2, Patch: &Price{CPU: 0.37, Low: 0.35, High: 0.4, Floor: true},
				Memory: between(0.1, 0.2), Estimate: evidence.Range{Low: 0.3, High: 0.7},
			}, low: 0.35, high: 0.7,
		},
	} {
		saves, ok := c.price.Saves()
		if ok != (c.high > 0) || math.Abs(saves.Low-c.low) > 0.001 || math.Abs(saves.High-c.high) > 0.001 {
			t.Errorf("%s: %+v, %t, want %v to %v", name, saves, ok, c.low, c.high)
		}
	}
}
