package gctune

import "time"

// ledger is what the last collections cost and when they ended. Runways space
// the usual cycles evenly; the ledger knows what the present window has been
// charged with, so that a cycle that was dearer than usual delays the next.
type ledger struct {
	entries [16]entry // a ring
	n       int       // ever entered
}

type entry struct {
	at  time.Duration
	cpu float64 // seconds
}

func (l ledger) add(at time.Duration, cpu float64) ledger {
	l.entries[l.n%len(l.entries)] = entry{at, cpu}
	l.n++
	return l
}

// last is what the last collection cost; 0 before the first.
func (l *ledger) last() float64 {
	if l.n == 0 {
		return 0
	}
	return l.entries[(l.n-1)%len(l.entries)].cpu
}

// fence is the window, and what the end of a cycle may be late in being seen.
const fence = window + 50*time.Millisecond

// wait is how long after now a cycle of the given cost, in CPU seconds, has to
// end so that no window is charged with more than budget. One that is dearer
// than the budget has a window of its own.
func (l *ledger) wait(now time.Duration, cost, budget float64) time.Duration {
	for i := 1; i <= min(l.n, len(l.entries)); i++ {
		e := l.entries[(l.n-i)%len(l.entries)]
		if e.at+fence <= now {
			return 0
		}
		if cost += e.cpu; cost > budget {
			return e.at + fence - now
		}
	}
	return 0
}
