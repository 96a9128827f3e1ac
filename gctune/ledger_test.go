package gctune

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestLedgerKeepsEveryWindow lets cycles of any cost end as soon as the ledger
// allows.
func TestLedgerKeepsEveryWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const budget = 0.5
		var l ledger
		var now time.Duration
		var all []entry
		for range rapid.IntRange(1, 60).Draw(t, "cycles") {
			cost := rapid.Float64Range(0.04, 0.7).Draw(t, "cost")
			now += l.wait(now, cost, budget)
			l = l.add(now, cost)
			all = append(all, entry{now, cost})
			now += time.Duration(rapid.IntRange(0, 300).Draw(t, "later")) * time.Millisecond
		}
		for i, last := range all {
			sum := last.cpu
			for j := i - 1; j >= 0 && last.at-all[j].at < window; j-- {
				sum += all[j].cpu
				if sum > budget+1e-9 {
					t.Fatalf("the window that ends at %v holds %.2f s of a budget of %.2f s", last.at, sum, budget)
				}
			}
		}
	})
}
