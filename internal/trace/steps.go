package trace

// maxSteps bounds the steps of a timeline. When a trace needs more, two become
// one, so that there are at least half as many.
const maxSteps = 4096

// firstStep is the length of a step before the first merge: a 20 ms trace needs
// none. It is a power of two, in nanoseconds.
const firstStep = 1 << 12

// step sums up the events in one piece of time.
type step struct {
	cpu        [kinds]int64
	runnable   int64
	heap, goal int64 // the most
}

// steps divide the trace into pieces of equal length.
type steps struct {
	length int64
	all    []step
}

// at returns the step of a point in time.
func (s *steps) at(t int64) *step {
	if s.length == 0 {
		s.length = firstStep
	}
	for t/s.length >= maxSteps {
		s.merge()
	}
	i := int(t / s.length)
	for len(s.all) <= i {
		s.all = append(s.all, step{})
	}
	return &s.all[i]
}

func (s *steps) merge() {
	s.length *= 2
	for i, from := range s.all {
		if i%2 == 0 {
			s.all[i/2] = from
			continue
		}
		to := &s.all[i/2]
		for k := range to.cpu {
			to.cpu[k] += from.cpu[k]
		}
		to.runnable += from.runnable
		to.heap, to.goal = max(to.heap, from.heap), max(to.goal, from.goal)
	}
	s.all = s.all[:(len(s.all)+1)/2]
}

// add spreads the work of processors from one point in time to another.
func (s *steps) add(from, to int64, busy [kinds]int, runnable int) {
	s.at(to) // so that the length is final
	for from < to {
		step := s.at(from)
		dt := min(to, (from/s.length+1)*s.length) - from
		for k, n := range busy {
			step.cpu[k] += int64(n) * dt
		}
		step.runnable += int64(runnable) * dt
		from += dt
	}
}

// timeline returns the steps as columns.
func (s *steps) timeline() Timeline {
	t := Timeline{Step: s.length, CPU: map[Class][]int64{}, Runnable: []int64{}, Heap: []int64{}, Goal: []int64{}}
	for k, class := range Classes {
		column := make([]int64, len(s.all))
		for i := range s.all {
			column[i] = s.all[i].cpu[k]
		}
		t.CPU[class] = column
	}
	for i := range s.all {
		t.Runnable = append(t.Runnable, s.all[i].runnable)
		t.Heap, t.Goal = append(t.Heap, s.all[i].heap), append(t.Goal, s.all[i].goal)
	}
	return t
}
