package gctune

import "time"

// ledger is what the last collections cost and when they ended. Runways space
// the usual cycles evenly; the ledger knows what the present window has been
// charged with, so that a cycle that was dearer than usual delays the next.
type ledger struct {
	entries [ledgerSize]entry // a ring
	n       int               // ever entered
	newest  float64           // CPU seconds of one collection, the last; 0 before the first
}

// entry is what the collections cost that ended from begin to at.
type entry struct {
	begin, at time.Duration
	cpu       float64 // seconds
}

const (
	// fence is the window and a tenth of it: the end of a cycle may be seen late,
	// the program may allocate somewhat faster than the median, and a leak may
	// have taken some of the runway before it is known not to fit.
	fence = window + window/10

	// Collections that end closer to each other than grain share an entry, so
	// that a full ring reaches back over the fence, however many there are.
	ledgerSize = 16
	grain      = fence / (ledgerSize - 1)
)

// add enters what the cycles that have ended by now cost together.
func (l ledger) add(now time.Duration, cpu float64, cycles uint64) ledger {
	l.newest = cpu / float64(cycles)
	if e := &l.entries[(l.n+ledgerSize-1)%ledgerSize]; l.n > 0 && now-e.begin < grain {
		e.at, e.cpu = now, e.cpu+cpu
		return l
	}
	l.entries[l.n%ledgerSize] = entry{now, now, cpu}
	l.n++
	return l
}

// wait is how long after now a cycle of the given cost, in CPU seconds, has to
// end so that no window is charged with more than budget. One that is dearer
// than the budget has a window of its own.
func (l *ledger) wait(now time.Duration, cost, budget float64) time.Duration {
	for i := 1; i <= min(l.n, ledgerSize); i++ {
		e := l.entries[(l.n-i)%ledgerSize]
		if e.at+fence <= now {
			return 0
		}
		if cost += e.cpu; cost > budget {
			return e.at + fence - now
		}
	}
	return 0
}
