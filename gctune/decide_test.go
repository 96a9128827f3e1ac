package gctune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
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
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		size := func(name string, least, most int) uint64 {
			return uint64(rapid.IntRange(least, most).Draw(t, name)) << 20
		}
		c := defaults(size("floor", 0, 600))
		m.cgroup = size("limit", 64, 4096)
		s := state{gogc: m.gogc, limit: m.limit}
		for range rapid.IntRange(1, 60).Draw(t, "cycles") {
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				m.cgroup = size("resized", 64, 4096)
			case 1:
				m.nonGo = size("nonGo", 0, 200)
			case 2:
				m.rate = float64(size("rate", 1, 4000))
			case 3:
				m.nonHeap = size("nonHeap", 2, 60)
			case 4:
				m.given = rapid.Float64Range(0.05, 1).Draw(t, "given")
			}
			m.cycle(size("live", 0, 600))
			was := s
			s = step(s, m, c)

			goal, limit := m.goal(), m.cgroup
			least := m.live + percent(m.live, c.minGOGC)
			_, usual := s.demand.runway(m.heap(), 2, c.cap)
			fits := s.ceiling > 0 && least <= s.ceiling
			// Without any margin, the group can be charged with so much.
			last := highestGoal(s.budget.bytes, m.nonHeap)
			kept := last > 0 && least <= last && (m.live+usual <= last || s.demand.contended())
			if (fits && s.posture != conceding || kept) && goal+m.nonHeap+m.nonGo > limit {
				t.Fatalf("%v: goal %d and %d outside it pass the limit of %d", s.posture, goal, m.nonHeap+m.nonGo, limit)
			}
			// Over a limit that is kept the runtime has to give memory back first.
			over := m.overage() > 0 && m.limit <= s.budget.bytes
			if goal < least && !over {
				t.Fatalf("%v: goal %d is below the least growth %d", s.posture, goal, least)
			}
			if s.posture == defending && least > s.ceiling && strings.Contains(s.reason, "fits") {
				t.Fatalf("with %d live and a ceiling of %d the reason is that %s", m.live, s.ceiling, s.reason)
			}
			if want := m.heap().goalToStartAt(c.floor); s.posture == calm && want <= s.ceiling && goal < want && !over {
				t.Fatalf("goal %d starts collections below the floor of %d", goal, c.floor)
			}
			if s.posture == conceding && was.posture != conceding && s.ceiling >= m.live+usual && fits {
				t.Fatalf("the limit was given up though all fits")
			}
			if s.gogc < 1 {
				t.Fatalf("GOGC is %d", s.gogc)
			}
		}
	})
}

// TestSettles holds every input still: after a while nothing moves any more.
func TestSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		m.cgroup = uint64(rapid.IntRange(64, 2048).Draw(t, "limit")) << 20
		m.live = uint64(rapid.IntRange(1, 700).Draw(t, "live")) << 20
		m.rate = float64(rapid.IntRange(1, 4000).Draw(t, "rate") << 20)
		c := defaults(uint64(rapid.IntRange(0, 600).Draw(t, "floor")) << 20)
		s := state{gogc: m.gogc, limit: m.limit}
		for range 10 {
			for range 20 {
				m.cycle(m.live)
				s = step(s, m, c)
			}
			m.now += 20 * time.Second
		}
		posture, moves := s.posture, m.moves
		for range 200 {
			m.cycle(m.live)
			s = step(s, m, c)
		}
		if s.posture != posture || m.moves > moves+4 {
			t.Fatalf("%v became %v, settings moved %d times in 200 equal cycles", posture, s.posture, m.moves-moves)
		}
	})
}

// TestDoesNotWaver holds the live heap, with 2 % of noise, where collections just
// fit under both the limit and the cap: no state changes with every cycle.
func TestDoesNotWaver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, c := newModel(), defaults(0)
		m.cgroup, m.cost = 512<<20, 2e-9
		m.rate = float64(rapid.IntRange(200, 1000).Draw(t, "rate") << 20)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s, live := state{gogc: m.gogc, limit: m.limit}, float64(200<<20)
		const long = 10 * time.Minute
		changes, fits, misses := 0, 0, 0
		for m.now < long {
			was := s.posture
			m.cycle(uint64(live * (0.98 + 0.04*random.Float64())))
			if s = step(s, m, c); s.posture != was {
				changes++
			}
			if s.fitted == s.lastCycle {
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
						t.Fatalf("%v, live %d MiB: %.1f %% of a second went into collections", s.posture, m.live>>20, 100*share)
					}
				}
				if s.posture != conceding || s.reason == "" {
					t.Fatalf("at the end the posture is %v (%s), want conceding", s.posture, s.reason)
				}
			})
		}
	}
}

// TestOneBadCycleGivesNothingUp lets a leak meet a cycle that was held up: it
// finds much more live than there is, and was dear. The limit is kept, and the
// warning that hooks go by comes cycles before it is given up at last.
func TestOneBadCycleGivesNothingUp(t *testing.T) {
	m, c := newModel(), defaults(0)
	m.cgroup, m.rate, m.cost = 512<<20, 250<<20, 2e-10
	s := state{gogc: m.gogc, limit: m.limit}
	leak := func() uint64 { return 50<<20 + uint64(m.now.Seconds()*float64(4<<20)) }
	for m.now < 70*time.Second {
		m.cycle(leak())
		s = step(s, m, c)
	}
	cost := m.cost
	m.cost *= 4
	m.cycle(leak() + 80<<20)
	m.cost = cost
	if s = step(s, m, c); !s.pressed || s.posture == conceding {
		t.Fatalf("after one bad cycle: %v, pressed is %v (live %d MiB, ceiling %d MiB)", s.posture, s.pressed, m.live>>20, s.ceiling>>20)
	}
	if s.goal > s.ceiling {
		t.Fatalf("one bad cycle takes the margin: the goal is %d MiB, the ceiling %d MiB", s.goal>>20, s.ceiling>>20)
	}
	m.cycle(leak())
	if s = step(s, m, c); s.pressed || s.posture == conceding {
		t.Fatalf("after a good one: %v, pressed is %v", s.posture, s.pressed)
	}
	warned := 0
	for m.live < m.cgroup && s.posture != conceding {
		m.cycle(leak())
		if s = step(s, m, c); s.pressed {
			warned++
		}
	}
	if s.posture != conceding || warned < persistent {
		t.Fatalf("at the end %v, after a warning of %d cycles", s.posture, warned)
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
		if phase := m.now.Seconds() / 12; phase-math.Floor(phase) > 0.6 {
			live = 400 << 20
		}
		m.cycle(live)
		s = step(s, m, c)
		defended = defended || s.posture == defending
		if s.posture == conceding {
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
	for m.now < 5*time.Second {
		m.cycle(455 << 20)
		s = step(s, m, c)
	}
	if s.posture != defending {
		t.Fatalf("after %v: %v, want defending", m.now, s.posture)
	}
	for m.now < 15*time.Second {
		m.cycle(455 << 20)
		s = step(s, m, c)
	}
	if s.posture != conceding {
		t.Fatalf("after %v: %v, want conceding", m.now, s.posture)
	}
	for range 50 {
		m.cycle(100 << 20)
		s = step(s, m, c)
	}
	if s.posture == conceding {
		t.Fatal("still conceding with a live heap of 100 MiB")
	}
}

func TestFloorStepsDownWithTheMachine(t *testing.T) {
	m, c := newModel(), defaults(1<<30)
	var o observation
	m.observe(&o)
	o.memory = memory{available: 5, total: 100, fresh: true}
	s := state{gogc: m.gogc, limit: m.limit}
	var floors []uint64
	for range 20 {
		o.now += tick
		s = s.decide(&o, c)
		o.gogc, o.limit = s.gogc, s.limit
		if f := s.shortage.of(c.floor); len(floors) == 0 || floors[len(floors)-1] != f {
			floors = append(floors, f)
		}
	}
	if want := []uint64{512 << 20, 256 << 20, 0}; len(floors) != 3 || floors[0] != want[0] || floors[1] != want[1] || floors[2] != want[2] {
		t.Fatalf("floors %v, want %v", floors, want)
	}
	o.memory.available = 50
	for range 20 {
		o.now += tick
		s = s.decide(&o, c)
		o.gogc, o.limit = s.gogc, s.limit
	}
	if f := s.shortage.of(c.floor); f != c.floor {
		t.Fatalf("with memory to spare the floor is %d", f)
	}
}

// TestNothingPressesWithoutALimitOrALease takes what a rise was pressed
// against away.
func TestNothingPressesWithoutALimitOrALease(t *testing.T) {
	m, c := newModel(), defaults(0)
	m.cgroup, m.rate, m.cost = 512<<20, 250<<20, 2e-10
	s := state{gogc: m.gogc, limit: m.limit}
	for !s.pressed {
		m.cycle(50<<20 + uint64(m.now.Seconds()*float64(4<<20)))
		s = step(s, m, c)
		if m.live > m.cgroup {
			t.Fatal("never pressed: the test does not test anything")
		}
	}
	var o observation
	m.observe(&o)
	o.gogc++
	if y := s.decide(&o, c); y.posture != yielded || y.pressed {
		t.Errorf("somebody else sets GOGC: %v, pressed is %v", y.posture, y.pressed)
	}
	m.cgroup = 0
	if s = step(s, m, c); s.posture != calm || s.pressed {
		t.Errorf("the limit is gone: %v, pressed is %v", s.posture, s.pressed)
	}
}
