package tune

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/verdict"
)

// Memory has a price: a mode that saves little CPU for much memory is not adopted.
func TestMemoryHasItsPrice(t *testing.T) {
	for _, test := range []struct {
		cpu, rss float64 // ratios; the baseline holds 100 MiB
		prices   Prices
		want     verdict.Decision
	}{
		{0.94, 3.02, Prices{}, verdict.Reject},
		{0.94, 1.1, Prices{}, verdict.Adopt},
		{0.70, 3.02, Prices{}, verdict.Adopt},
		{0.94, 0.9, Prices{}, verdict.Adopt},
		{0.94, 3.02, Prices{CPU: 100, GiB: 1}, verdict.Adopt},
		{0.70, 3.02, Prices{CPU: 10, GiB: 10}, verdict.Reject},
	} {
		tried := judge(measured(outcome{"GOGC=400", verdict.Adopt, test.cpu, test.rss}), tryable[3:], 0, test.prices)
		if got := tried[0].Decision; got != test.want || got == verdict.Reject && !strings.Contains(tried[0].Reason, "cost as much as a vCPU") {
			t.Errorf("CPU ×%v, RSS ×%v at %+v: %s, %q", test.cpu, test.rss, test.prices, got, tried[0].Reason)
		}
	}
}
