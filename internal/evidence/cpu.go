package evidence

import "github.com/heapwright/heapwright/internal/cost"

// sumCPU charges every CPU sample to the allocations of a stack, or to the whole program.
func (b *builder) sumCPU() {
	if b.cpu == nil {
		return
	}
	count, ok := b.cpu.Column("samples")
	ns, _ := b.cpu.Column("cpu")
	c, m := &b.Costs, &b.model
	c.Seconds = float64(b.cpu.Total(ns)) / 1e9
	if !ok {
		count = ns
	}
	m.samples = float64(b.cpu.Total(count))
	c.Samples = m.samples
	if m.samples == 0 {
		return
	}

	c.Classes = make([]float64, len(cost.Classes()))
	classes := cost.NewClassifier(b.dict)
	idle := 0.0
	for row, stack := range b.cpu.Stacks {
		n := float64(b.cpu.Values[count][row])
		class, at := classes.Class(stack), b.places[stack]
		share := n / m.samples
		b.weights[stack].CPU += share
		c.Classes[class] += share
		// A sample belongs to the allocations of its site if it would fall with them. The
		// collector's own work falls with all allocations together.
		switch {
		case class == cost.WriteBarrier, (at.site == 0 || at.forces) && class.Collection(), class == cost.Mark:
			m.collection += n
			if at.idle {
				idle += n
			}
		case at.site == 0:
			if class == cost.OtherRuntime {
				m.scheduling += n
			}
		case at.forces: // giving memory back
		case class.Collection():
			b.charges[stack].collecting += n
		case class.Malloc(), class == cost.PageFaults, class == cost.Scavenge:
			b.charges[stack].allocating += n
		case at.copies:
			b.charges[stack].copying += n
		default:
			b.weights[stack].Work += share
		}
	}

	// Shares of the whole program bound what any change can save.
	b.sumWork(count)
	c.Idle = idle / m.samples
	for class, share := range c.Classes {
		switch class := cost.Class(class); {
		case class.Malloc():
			c.Malloc += share
		case class.Collection():
			c.Collection += share
		}
	}
}
