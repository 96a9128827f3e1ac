package gctune

import "time"

const (
	// shortBelow and amplyAbove are shares of the machine's memory that is
	// available: below the first the floor goes down, above the second up.
	shortBelow, amplyAbove = 0.10, 0.20

	stepEvery  = 5 * time.Second // between two steps
	lowestStep = 3               // full, half, quarter, none
)

// shortage takes the heap floor down in steps while the machine is short of
// memory, and up again when it is not.
type shortage struct {
	step  int
	since time.Duration
}

func (s shortage) learn(now time.Duration, available, total uint64) shortage {
	if total == 0 || now-s.since < stepEvery && s.since != 0 {
		return s
	}
	switch free := float64(available) / float64(total); {
	case free < shortBelow && s.step < lowestStep:
		return shortage{s.step + 1, now}
	case free > amplyAbove && s.step > 0:
		return shortage{s.step - 1, now}
	}
	return s
}

func (s shortage) of(floor uint64) uint64 {
	if s.step == lowestStep {
		return 0
	}
	return floor >> s.step
}
