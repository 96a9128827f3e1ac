package leak

import "github.com/heapwright/heapwright/internal/evidence"

// Queues returns the places where goroutines queue for a lock all the time, the longest queue
// first. They are no leaks: the lock is released, but too late.
func Queues(e *evidence.Evidence) []Leak {
	if len(e.Queues) == 0 {
		return nil
	}
	s := &search{Evidence: e, source: e.Releases()}
	var all []Leak
	for i := range e.Queues {
		p := &e.Queues[i]
		l := Leak{Places: []*evidence.WaitingPlace{p}, At: p.Frame, Path: p.Path, Confidence: evidence.Medium,
			Title: goroutines(p) + " queue for a lock all the time"}
		held := ""
		if l.lock = s.source.LockAt(p.Function, p.File, p.Line); l.lock != nil {
			l.Title = goroutines(p) + " queue all the time for " + l.lock.Name
			if s.holder(p, &l) {
				held, l.Confidence = l.Remedy+" ", evidence.High
			}
		}
		l.Remedy = held + "Only one of them gets on at a time. Hold the lock for a shorter time: copy the data, unlock, " +
			"and do the slow work (encoding, logging, files, network) outside of it. Or split the lock, such as one for " +
			"each shard of the keys. If none of them ever gets on, look for a path that does not unlock."
		all = join(all, l)
	}
	return all
}
