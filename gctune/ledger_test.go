package gctune

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestLedgerKeepsEveryWindow lets cycles of any cost, a few dear ones or many
// cheap ones, end as soon as the ledger allows.
func TestLedgerKeepsEveryWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const budget = 0.5
		type cycle struct {
			at  time.Duration
			cpu float64
		}
		var l ledger
		var now time.Duration
		var all []cycle
		dearest := rapid.Float64Range(0.004, 0.7).Draw(t, "dearest")
		latest := rapid.IntRange(0, 300).Draw(t, "latest")
		for range rapid.IntRange(1, 300).Draw(t, "cycles") {
			cost := rapid.Float64Range(0.004, dearest).Draw(t, "cost")
			now += l.wait(now, cost, budget)
			l = l.add(now, cost, 1)
			all = append(all, cycle{now, cost})
			now += time.Duration(rapid.IntRange(0, latest).Draw(t, "later")) * time.Millisecond
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

// TestLedgerDelaysCheapCyclesLittle lets cycles of 5 ms come as fast as the
// ledger allows: nearly all of the budget is used.
func TestLedgerDelaysCheapCyclesLittle(t *testing.T) {
	var l ledger
	var now time.Duration
	n := 0
	for ; now < time.Minute; n++ {
		now += max(l.wait(now, 0.005, 0.5), 10*time.Millisecond)
		l = l.add(now, 0.005, 1)
	}
	if most := now.Seconds() / 0.01; float64(n) < 0.85*most {
		t.Errorf("%d cycles in %v, of %.0f that the budget pays for", n, now, most)
	}
}
