package trace

import "testing"

// A limit near the live heap begins collections at once, GOGC when the heap has grown by
// at least a good half.
func TestCramped(t *testing.T) {
	cycles := func(n int, start, end int64) (all []Cycle) {
		for range n {
			all = append(all, Cycle{HeapStart: start << 20, HeapEnd: end << 20})
		}
		return all
	}
	forced := cycles(20, 52, 50)
	for i := range forced {
		forced[i].Forced = &Place{Function: "main.main"}
	}
	for _, test := range []struct {
		name string
		all  []Cycle
		want bool
	}{
		{"limit", cycles(20, 51, 50), true},
		{"GOGC=100", cycles(20, 85, 50), false},
		{"limit in fewer than half", append(cycles(20, 85, 50), cycles(10, 51, 50)...), false},
		{"too few to say", cycles(5, 51, 50), false},
		{"forced", forced, false},
	} {
		if growth, is := (&Document{Cycles: test.all}).Cramped(); is != test.want {
			t.Errorf("%s: %v with growth by %.2f", test.name, is, growth)
		}
	}
}
