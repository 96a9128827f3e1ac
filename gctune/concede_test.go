package gctune

import (
	"testing"
	"time"
)

// TestContendedLeakConcedesNoSooner lets the system give a leaking process a
// quarter of the CPU time that the runtime counts. The limit is not given up, or
// about to be, at less live heap than on a quiet machine, and the goal stays
// under it as long as MinGOGC fits.
func TestContendedLeakConcedesNoSooner(t *testing.T) {
	concedes := func(given float64) uint64 {
		m, c := newModel(), defaults(0)
		m.cgroup, m.rate, m.cost, m.given = 512<<20, 200<<20, 2e-10, given
		s := state{gogc: m.gogc, limit: m.limit}
		conceded := uint64(0)
		for m.live < m.cgroup {
			m.cycle(50<<20 + uint64(m.now.Seconds()*float64(4<<20)))
			s = step(s, m, c)
			if conceded == 0 && (s.posture == conceding || s.waits(m.now)) {
				conceded = m.live
			}
			least := m.live + percent(m.live, c.minGOGC)
			if given < 1 && least <= highestGoal(s.budget.bytes, m.nonHeap) && m.goal()+m.nonHeap+m.nonGo > m.cgroup {
				t.Fatalf("%v, live %d MiB: the goal is %d MiB", s.posture, m.live>>20, m.goal()>>20)
			}
		}
		return conceded
	}
	quiet, busy := concedes(1), concedes(0.25)
	if quiet == 0 || busy < quiet-quiet/50 {
		t.Errorf("on a busy machine the limit is given up at %d MiB live, else at %d MiB", busy>>20, quiet>>20)
	}
}

// TestContendedSpiralEnds holds a live heap near its ceiling while other
// processes take the CPU, and never stop to.
func TestContendedSpiralEnds(t *testing.T) {
	m, c := newModel(), defaults(0)
	m.cgroup, m.rate, m.given = 512<<20, 1000<<20, 0.25
	s := state{gogc: m.gogc, limit: m.limit}
	const ends = patience + contendedPatience
	for m.now < 2*ends {
		m.cycle(455 << 20)
		s = step(s, m, c)
		switch {
		case s.posture == conceding && m.now < ends:
			t.Fatalf("after %v the limit is given up", m.now)
		case s.posture != conceding && m.now > ends+patience:
			t.Fatalf("after %v: %v", m.now, s.posture)
		case s.posture == conceding && (s.goal <= s.ceiling || m.goal()+m.nonHeap+m.nonGo > m.cgroup):
			t.Fatalf("after %v the goal is %d MiB, the ceiling is %d MiB", m.now, m.goal()>>20, s.ceiling>>20)
		}
	}
}

// TestConcedingIsByDegrees follows a leak in a program that allocates fast. In
// the cycles after the limit is given up the goal rises, but not over what the
// group can be charged with, and a cycle that was held up, and takes much garbage
// for live, does not change that.
func TestConcedingIsByDegrees(t *testing.T) {
	m, c := newModel(), defaults(0)
	m.cgroup, m.rate, m.cost = 512<<20, 700<<20, 2e-10
	s := state{gogc: m.gogc, limit: m.limit}
	leak := func() uint64 { return 50<<20 + uint64(m.now.Seconds()*float64(4<<20)) }
	for s.posture != conceding {
		m.cycle(leak())
		if s = step(s, m, c); m.live > m.cgroup {
			t.Fatal("never conceded")
		}
	}
	if goal := m.goal(); goal <= s.ceiling || goal+m.nonHeap+m.nonGo > m.cgroup {
		t.Errorf("conceding with %d MiB live the goal is %d MiB, the ceiling was %d MiB", m.live>>20, goal>>20, s.ceiling>>20)
	}
	m.cycle(leak() + 80<<20)
	if s = step(s, m, c); s.posture != conceding || m.goal()+m.nonHeap+m.nonGo > m.cgroup {
		t.Errorf("%v: after a cycle that was held up the goal is %d MiB", s.posture, m.goal()>>20)
	}
	for since := m.now; m.now < since+20*time.Second; {
		m.cycle(leak())
		s = step(s, m, c)
	}
	if m.goal() < m.cgroup {
		t.Errorf("20 s later, with %d MiB live, the goal is still %d MiB", m.live>>20, m.goal()>>20)
	}
}
