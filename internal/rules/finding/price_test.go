package finding

import (
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
