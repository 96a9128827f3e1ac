package verdict

import (
	"math"
	"strings"
	"testing"
)

// A change that its medians contradict is explained; noise is not.
func TestApart(t *testing.T) {
	for _, test := range []struct {
		ratio, before, after float64
		want                 string
	}{
		{0.882, 4.69, 4.43, "change by -5.5%"},
		{0.97, 100, 103, "change by +3.0%"},
		{0.96, 100, 80, "change by -20.0%"},
		{1, 100, 80, "change by -20.0%"},
		{0.882, 4.69, 4.2, ""},
		{1.003, 100, 99.8, ""},
		{1, 0, 0, ""},
		{math.Inf(1), 0, 3, ""},
	} {
		got := Apart(test.ratio, test.before, test.after)
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%v beside %v → %v: %q, want %q", test.ratio, test.before, test.after, got, test.want)
		}
	}
}
