package gctune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func defaults(floor uint64) *config {
	return &config{floor: floor, gogc: 100, cap: defaultMaxGCCPU, minGOGC: defaultMinGOGC, limit: math.MaxInt64}
}

// step observes the model and brings the decision into force.
func step(s state, m *model, c *config) state {
	var o observation
	m.observe(&o)
	s = s.decide(&o, c)
	if s.gogc != m.gogc || s.limit != m.limit {
		m.set(s.gogc, s.limit)
	}
	return s
}

// TestInvariants drives decisions along random paths of the live heap, of the
// memory outside the Go heap, of the load and of the limit.
func TestInvariants(t *testing.T) {
	property(t, func(t *draws) {
		m := newModel()
		mib := func(least, most int) uint64 { return uint64(t.intRange(least, most)) << 20 }
		c := defaults(mib(0, 600))
		c.gogc = pick(t, 100, 20, -1)
		m.cgroup = mib(64, 4096)
		s := state{gogc: m.gogc, limit: m.limit}
		for range t.intRange(1, 60) {
			switch t.intRange(0, 9) {
			case 0:
				m.cgroup = mib(64, 4096)
			case 1:
				m.nonGo = mib(0, 200)
			case 2:
				m.rate = float64(mib(1, 4000))
			case 3:
				m.nonHeap = mib(2, 60)
			case 4:
				m.given = t.float64Range(0.05, 1)
			}
			m.cycle(mib(0, 600))
			was := s
			s = step(s, m, c)

			goal, near := m.goal(), func(a, b int64) bool { return math.Abs(float64(a-b)) <= float64(b)*limitDeadband }
			if s.phase != Exceeding && !near(s.limit, s.budget.forGo(s.fastest)) {
				t.Fatalf("%v: the limit is %d, the budget allows %d", s.phase, s.limit, s.budget.forGo(s.fastest))
			}
			if fits := max(m.live, goal)+m.nonHeap+m.nonGo <= m.cgroup; s.phase != Exceeding && goal > m.live && !fits {
				t.Fatalf("%v: goal %d and %d outside it pass the limit of %d", s.phase, goal, m.nonHeap+m.nonGo, m.cgroup)
			}
			if want := m.heap().goalToStartAt(c.floor); s.phase != Exceeding && m.overage() == 0 && goal+uint64(float64(s.limit)*2*limitDeadband) < min(want, s.ceiling) {
				t.Fatalf("goal %d starts collections below the floor of %d", goal, c.floor)
			}
			need := max(s.runway, percent(m.live, c.minGOGC)) + m.live
			if s.phase == Exceeding && was.phase != Exceeding && need <= s.ceiling {
				t.Fatal("the limit was given up though everything fits")
			}
			if last := highestGoal(s.budget.bytes, m.nonHeap); s.phase == Exceeding && need <= last && s.goal > last {
				t.Fatalf("goal %d is over %d, the last that the group can be charged with, for a need of %d", s.goal, last, need)
			}
			if s.gogc < 1 && (s.gogc != -1 || c.gogc > 0) {
				t.Fatalf("GOGC is %d", s.gogc)
			}
		}
	})
}

// TestSwingIsNotKilled jumps from 40 to 190 MiB for a tenth of every two seconds
// in a cgroup of 256 MiB, in a program that allocates as fast as it can. One
// third of its allocations during the jump stays.
func TestSwingIsNotKilled(t *testing.T) {
	for _, gogc := range []int{100, -1} {
		t.Run(fmt.Sprint("GOGC=", gogc), func(t *testing.T) {
			m, c := newModel(), defaults(0)
			m.live, m.cgroup, m.nonGo, m.rate, m.cost, c.gogc = 40<<20, 256<<20, 6<<20, 4<<30, 5e-10, gogc
			s := step(state{gogc: m.gogc, limit: m.limit}, m, c)
			for m.now < time.Minute {
				live := uint64(40 << 20)
				if m.now%(2*time.Second) < 200*time.Millisecond {
					live = min(m.live+max(m.start()-m.live, 8<<20)/3, 190<<20)
				}
				peak := m.peak(live)
				if charge := peak + m.nonHeap + m.nonGo; charge > m.cgroup {
					t.Fatalf("killed after %v: with %d MiB live, then %d, a goal of %d and a limit of %d the process takes %d MiB",
						m.now, m.live>>20, live>>20, m.goal()>>20, m.limit>>20, charge>>20)
				}
				// Memory that is allocated while a cycle marks counts as live.
				m.cycle(live + peak - max(min(m.start(), peak), live))
				s = step(s, m, c)
			}
		})
	}
}

// TestLeavesRoomForSwings switches GOGC off under a limit: the heap may grow to the
// limit, less the swing of the live heap within the last minute.
func TestLeavesRoomForSwings(t *testing.T) {
	m, c := newModel(), defaults(0)
	m.live, m.cgroup, c.gogc = 40<<20, 512<<20, -1
	s := step(state{gogc: m.gogc, limit: m.limit}, m, c)
	run := func(d time.Duration, live func() uint64) {
		for end := m.now + d; m.now < end; s = step(s, m, c) {
			m.cycle(live())
		}
	}
	low := func() uint64 { return 40 << 20 }
	run(time.Minute, low)
	if m.goal() < s.ceiling*95/100 {
		t.Errorf("without swings the goal is %d MiB under a ceiling of %d", m.goal()>>20, s.ceiling>>20)
	}
	for range 3 {
		run(8*time.Second, func() uint64 { return 190 << 20 })
		run(10*time.Second, low)
	}
	if most := s.ceiling - 150<<20; m.goal() > most*105/100 {
		t.Errorf("after swings of 150 MiB the goal is %d MiB under a ceiling of %d", m.goal()>>20, s.ceiling>>20)
	}
	run(2*time.Minute, low)
	if m.goal() < s.ceiling*95/100 {
		t.Errorf("two minutes after the last swing the goal is %d MiB under a ceiling of %d", m.goal()>>20, s.ceiling>>20)
	}
}

// TestSettles holds every input still: after a while nothing moves any more.
func TestSettles(t *testing.T) {
	property(t, func(t *draws) {
		m := newModel()
		m.cgroup = uint64(t.intRange(64, 2048)) << 20
		m.live = uint64(t.intRange(1, 700)) << 20
		m.rate = float64(uint64(t.intRange(1, 4000)) << 20)
		c := defaults(uint64(t.intRange(0, 600)) << 20)
		s := state{gogc: m.gogc, limit: m.limit}
		for range 10 {
			for range 20 {
				m.cycle(m.live)
				s = step(s, m, c)
			}
			m.now += 20 * time.Second
		}
		phase, moves := s.phase, m.moves
		for range 200 {
			m.cycle(m.live)
			s = step(s, m, c)
		}
		if s.phase != phase || m.moves > moves+4 {
			t.Fatalf("%v became %v, settings moved %d times in 200 equal cycles", phase, s.phase, m.moves-moves)
		}
	})
}

// TestDoesNotWaver holds the live heap, with 2% of noise, where collections just
// fit under both the limit and the cap: no state changes with every cycle.
func TestDoesNotWaver(t *testing.T) {
	property(t, func(t *draws) {
		m, c := newModel(), defaults(0)
		m.cgroup, m.cost = 512<<20, 2e-9
		m.rate = float64(t.intRange(200, 1000) << 20)
		random := rand.New(rand.NewPCG(t.uint64Range(0, math.MaxUint64), 0))
		s, live := state{gogc: m.gogc, limit: m.limit}, float64(200<<20)
		const long = 10 * time.Minute
		changes, fits, misses := 0, 0, 0
		for m.now < long {
			was := s.phase
			m.cycle(uint64(live * (0.98 + 0.04*random.Float64())))
			if s = step(s, m, c); s.phase != was {
				changes++
			}
			if m.live+s.runway <= s.ceiling {
				fits++
				live *= 1.01
			} else {
				misses++
				live /= 1.01
			}
		}
		if most := 2 * int(long/patience); changes > most || min(fits, misses) < 100 {
			t.Fatalf("%d changes of state in %v, in which collections fitted after %d cycles and did not after %d", changes, long, fits, misses)
		}
	})
}

// leak is a model whose live heap grows from 50 MiB on.
func leak(rate, cost float64) (m *model, live func() uint64) {
	m = newModel()
	m.cgroup, m.rate, m.cost = 512<<20, rate, cost
	return m, func() uint64 { return 50<<20 + uint64(m.now.Seconds()*float64(4<<20)) }
}

// TestLeakKeepsTheCap lets the live heap grow past the limit, slowly or fast
// beside the garbage, with cheap collections and with dear ones, that end at
// their goals or as early as the pacer lets them: no second holds more of them
// than the cap pays for, and the limit is given up with a reason.
func TestLeakKeepsTheCap(t *testing.T) {
	for _, tt := range []struct{ leak, rate, cost float64 }{
		{2 << 20, 200 << 20, 2e-10},
		{2 << 20, 200 << 20, 9e-10},
		{5 << 20, 24 << 20, 6e-10},
	} {
		for _, eager := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v,eager=%v", tt, eager), func(t *testing.T) {
				m, c := newModel(), defaults(0)
				m.cgroup, m.rate, m.cost, m.eager = 512<<20, tt.rate, tt.cost, eager
				s := state{gogc: m.gogc, limit: m.limit}
				type cycle struct {
					end time.Duration
					gc  float64
				}
				var all []cycle
				for m.live < m.cgroup {
					before := m.o.gcCPU
					m.cycle(50<<20 + uint64(m.now.Seconds()*tt.leak))
					s = step(s, m, c)
					all = append(all, cycle{m.now, m.o.gcCPU - before})
					sum := 0.0
					for i := len(all) - 1; i >= 0 && m.now-all[i].end < window; i-- {
						sum += all[i].gc
					}
					if share := sum / 2; share > c.cap {
						t.Fatalf("%v, live %d MiB: %.1f%% of a second went into collections", s.phase, m.live>>20, 100*share)
					}
				}
				if s.phase != Exceeding || s.reason == "" {
					t.Fatalf("at the end the phase is %v (%s), want exceeding", s.phase, s.reason)
				}
			})
		}
	}
}

// TestOneBadCycleGivesNothingUp lets a leak meet a cycle that was held up: it
// finds much more live than there is, and was dear.
func TestOneBadCycleGivesNothingUp(t *testing.T) {
	m, live := leak(250<<20, 2e-10)
	s, c := state{gogc: m.gogc, limit: m.limit}, defaults(0)
	for m.now < 65*time.Second {
		m.cycle(live())
		s = step(s, m, c)
	}
	cost := m.cost
	m.cost *= 4
	m.cycle(live() + 80<<20)
	m.cost = cost
	if s = step(s, m, c); s.phase == Exceeding || m.goal() > s.ceiling {
		t.Fatalf("after one bad cycle: %v, the goal is %d MiB, the ceiling %d MiB", s.phase, m.goal()>>20, s.ceiling>>20)
	}
}

// TestExceedingIsByDegrees follows a leak in a program that allocates fast. The
// goal rises, but not over the group's limit until live heap and runway do not fit
// there, and a cycle that was held up, and takes much garbage for live, does not
// change that.
func TestExceedingIsByDegrees(t *testing.T) {
	m, live := leak(500<<20, 2e-10)
	s, c := state{gogc: m.gogc, limit: m.limit}, defaults(0)
	for s.phase != Exceeding {
		m.cycle(live())
		if s = step(s, m, c); m.live > m.cgroup {
			t.Fatal("never exceeded")
		}
	}
	m.cycle(live())
	s = step(s, m, c)
	if goal := m.goal(); goal+m.nonHeap+m.nonGo > m.cgroup {
		t.Errorf("exceeding with %d MiB live the goal is %d MiB, the ceiling was %d MiB", m.live>>20, goal>>20, s.ceiling>>20)
	}
	m.cycle(live() + 80<<20)
	if s = step(s, m, c); s.phase != Exceeding || m.goal()+m.nonHeap+m.nonGo > m.cgroup {
		t.Errorf("%v: after a cycle that was held up the goal is %d MiB", s.phase, m.goal()>>20)
	}
	for since := m.now; m.now < since+25*time.Second; {
		m.cycle(live())
		s = step(s, m, c)
	}
	if m.goal() < m.cgroup {
		t.Errorf("25 s later, with %d MiB live, the goal is still %d MiB", m.live>>20, m.goal()>>20)
	}
}

// TestContendedLeakExceedsNoSooner lets the system give a leaking process a
// quarter of the CPU time that the runtime counts.
func TestContendedLeakExceedsNoSooner(t *testing.T) {
	exceeds := func(given float64) uint64 {
		m, live := leak(200<<20, 2e-10)
		m.given = given
		for s, c := (state{gogc: m.gogc, limit: m.limit}), defaults(0); m.live < m.cgroup; {
			m.cycle(live())
			if s = step(s, m, c); s.phase == Exceeding {
				return m.live
			}
		}
		return 0
	}
	quiet, busy := exceeds(1), exceeds(0.25)
	if quiet == 0 || busy < quiet-quiet/50 {
		t.Errorf("on a busy machine the limit is given up at %d MiB live, else at %d MiB", busy>>20, quiet>>20)
	}
}

// TestSwingIsDefended lets a costly live heap swing: the limit is never given
// up, and the goal never passes it.
func TestSwingIsDefended(t *testing.T) {
	m, c := newModel(), defaults(128<<20)
	m.cgroup, m.rate, m.cost = 512<<20, 400<<20, 2e-9
	s := state{gogc: m.gogc, limit: m.limit}
	defended := false
	for m.now < 5*time.Minute {
		live := uint64(50 << 20)
		if round := m.now.Seconds() / 12; round-math.Floor(round) > 0.6 {
			live = 400 << 20
		}
		m.cycle(live)
		s = step(s, m, c)
		defended = defended || s.phase == Defending
		if s.phase == Exceeding {
			t.Fatalf("after %v the limit was given up: %s", m.now, s.reason)
		}
		if goal := m.goal(); goal+m.nonHeap+m.nonGo > m.cgroup {
			t.Fatalf("after %v the goal is %d", m.now, goal)
		}
	}
	if !defended {
		t.Fatal("the cap was never exceeded: the test does not test anything")
	}
}

// TestSpiralEnds holds a live heap within MinGOGC of its ceiling under load:
// it is defended for a while, then the limit is given up, and it comes back
// once the live heap has fallen.
func TestSpiralEnds(t *testing.T) {
	m, c := newModel(), defaults(0)
	m.cgroup, m.rate = 512<<20, 1000<<20
	s := state{gogc: m.gogc, limit: m.limit}
	for m.now < patience/2 {
		m.cycle(425 << 20)
		s = step(s, m, c)
	}
	if s.phase != Defending {
		t.Fatalf("after %v: %v, want defending", m.now, s.phase)
	}
	for m.now < patience*3/2 {
		m.cycle(425 << 20)
		s = step(s, m, c)
	}
	if s.phase != Exceeding || m.goal() < m.live+percent(m.live, c.minGOGC) {
		t.Fatalf("after %v: %v, want exceeding; the goal is %d MiB", m.now, s.phase, m.goal()>>20)
	}
	for until := m.now + 2*patience; m.now < until; {
		m.cycle(100 << 20)
		s = step(s, m, c)
	}
	if s.phase == Exceeding {
		t.Fatal("still exceeding with a live heap of 100 MiB")
	}
}

// TestFloorTakesHalfOfTheFreeMemory keeps the machine from swapping for garbage.
func TestFloorTakesHalfOfTheFreeMemory(t *testing.T) {
	m, c := newModel(), defaults(1<<30)
	m.available, m.total = 400<<20, 8<<30
	s := step(state{gogc: m.gogc, limit: m.limit}, m, c)
	if want := m.live + m.nonHeap + 200<<20; s.floor != want {
		t.Errorf("with 400 MiB to spare the floor is %d MiB, want %d", s.floor>>20, want>>20)
	}
	m.available = 4 << 30
	if s = step(s, m, c); s.floor != c.floor {
		t.Errorf("with 4 GiB to spare the floor is %d MiB", s.floor>>20)
	}
}

// TestPhaseEndsWithTheLimit takes the limit, or the lease on the settings, away
// from a tuner that has given the limit up.
func TestPhaseEndsWithTheLimit(t *testing.T) {
	m, live := leak(250<<20, 2e-10)
	s, c := state{gogc: m.gogc, limit: m.limit}, defaults(0)
	for s.phase != Exceeding {
		m.cycle(live())
		if s = step(s, m, c); m.live > m.cgroup {
			t.Fatal("never exceeded: the test does not test anything")
		}
	}
	var o observation
	m.observe(&o)
	o.gogc++
	if y := s.decide(&o, c); y.phase != Yielded {
		t.Errorf("somebody else sets GOGC: %v", y.phase)
	}
	m.cgroup = 0
	if s = step(s, m, c); s.phase != Calm {
		t.Errorf("the limit is gone: %v", s.phase)
	}
}
