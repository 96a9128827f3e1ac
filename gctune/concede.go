package gctune

// thinCostMargin is how much dearer than the last ones the next cycle may be when
// there is only the limit left to be given up for it.
const thinCostMargin = 1.05

// concede gives the limit up by degrees, as far as the CPU cap needs it: first
// the margins, up to the last goal that the group can be charged with. Past
// that the kernel ends the process. So the goal gets there only when the settled
// live heap and its runway do not fit otherwise. Never while other processes
// take the CPU: what they take is no reason for the kernel to end this one.
func (s state) concede(o *observation, c *config, forGo, most int64, need, owed, least uint64) state {
	nonHeap := o.nonHeap()
	last := highestGoal(most, nonHeap)
	goal := max(need, min(o.heap.live+owed, last))
	if s.settled(o, c) <= last || s.demand.contended() {
		goal = max(min(goal, last), least)
	}
	// The runtime's limit stays near enough to keep the scavenger at work, and
	// far enough to start no cycle of its own; a guard while there is one to keep.
	limit := max(limitFor(percent(goal, 115), nonHeap)+16<<20, o.limitOver(goal))
	if goal <= last {
		limit = min(limit, most)
	}
	limit = max(limit, forGo)
	return s.pace(o, goal).limited(limit, min(limit, o.limitOver(goal)))
}

// settled is what collections need for certain: the live heap without what a
// single cycle may have found too much, for one that was held up takes garbage
// for live, and its runway. The live heap is the median of five or, since a rise
// outruns that, what the trend lets expect.
func (s *state) settled(o *observation, c *config) uint64 {
	h := o.heap
	h.live = min(h.live, max(uint64(s.lives.usual()), s.trend.expected(s.demand.last.now)))
	_, runway := s.demand.runway(h, o.procs, c.cap*costMargin/thinCostMargin)
	return h.live + runway
}
