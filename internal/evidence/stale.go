package evidence

// fewCollections is the number of collections in a window up to which a heap profile
// says nothing about it: the profile may be two collections old (runtime.MemProfile).
const fewCollections = 1

// findStale fills Stale where heap profiles were taken over a time in which no or one
// collection ran: all of them show the heap as it was before.
func (b *builder) findStale() {
	n := len(b.heaps)
	if n < 2 || b.Runtime.Fresh {
		return
	}
	cycles := b.Collections.Cycles
	if !cycles.OK { // each collection changes the sum of allocations
		cycles = Known{float64(len(b.apart()) - 1), n >= minTrend}
	}
	if !cycles.OK || cycles.Value > fewCollections {
		return
	}
	first, last := b.heaps[0], b.heaps[n-1]
	b.Stale = Known{seconds(first, last), true}
	if at := b.Runtime.Collected; !at.IsZero() && last.TimeNanos > at.UnixNano() {
		b.Stale.Value = max(b.Stale.Value*(1-cycles.Value), float64(last.TimeNanos-at.UnixNano())/1e9)
	}
}
