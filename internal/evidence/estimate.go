package evidence

// estimate gives sites and stacks their ceilings, and orders the sites that
// allocate by them.
func (b *builder) estimate() {
	m := &b.model
	for i := range b.sites {
		s := &b.sites[i]
		for _, stack := range s.Stacks {
			s.charge.add(b.charges[stack])
		}
		s.charge.recent, s.Recent = max(s.charge.recent, 0), s.Recent.atLeastZero()
		m.total.add(s.charge)
	}
	b.Live = Known{m.total.live, len(b.Heaps) > 0}
	if b.Runtime.Live.OK {
		b.Live = b.Runtime.Live
	}
	if b.Window.OK && b.Window.Value != 0 && m.total.recent != 0 {
		b.Rate = Known{m.total.recent / b.Window.Value, true}
	}
	b.estimateHidden()
	b.explainCollections(b.Live)
	m.excess = b.Collections.ByForce
	b.Costs.Ceiling, b.Costs.Collecting = m.ceiling(m.total), m.collecting(b.Costs.Collection)
	m.excess = b.Collections.Excess()
	for i := range b.sites {
		s := &b.sites[i]
		s.CPU, s.Memory = m.ceiling(s.charge), m.memory(s.charge)
		for _, stack := range s.Stacks { // CPU samples have their own cost, heap samples their part by bytes
			c, w := &b.charges[stack], &b.weights[stack]
			c.recent = max(c.recent, 0)
			w.Saves, w.Memory = m.ceiling(*c), m.memory(*c)
			s.Sum.Add(*w)
		}
	}
}

// estimateHidden estimates costs that no sample shows: the collector's part of
// the scheduler's time, and the first use of new memory by the program's own
// code. Both follow from the bytes allocated while the CPU profile was taken.
func (b *builder) estimateHidden() {
	m := &b.model
	if m.samples == 0 {
		return
	}
	second := m.samples / b.Costs.Seconds
	if !b.Rate.OK || b.cpu.DurationNanos == 0 {
		m.touching = (m.total.allocating + m.total.collecting) * touchingUnknown
		m.scheduling = min(m.scheduling, m.collection)
		return
	}
	live := m.total.live
	if b.Runtime.Live.OK {
		live = max(live, b.Runtime.Live.Value)
	}
	bytes := m.total.recent * float64(b.cpu.DurationNanos) / 1e9 / b.Window.Value
	cycles := bytes / max(live, minHeap-live)
	m.touching = bytes * touchingSeconds * second
	m.scheduling = min(m.scheduling, cycles*cycleScheduling*second)
}
