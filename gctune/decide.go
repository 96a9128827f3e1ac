package gctune

import (
	"math"
	"time"
)

const (
	// patience is how long a live heap may leave less than MinGOGC under the
	// limit before the limit is given up, and how long the reason for a phase
	// has to be gone before the phase ends: a swing passes sooner, and a heap
	// that just fits does not change the state with every cycle.
	patience = 10 * time.Second

	// deadband is how far GOGC's goal and the limit may be off before they are moved.
	deadband, limitDeadband = 0.02, 0.005

	// exceededSlack is the part of the goal by which a limit that is given up lies
	// higher, so that it starts no cycle but keeps the scavenger at work.
	exceededSlack = 8
)

// config holds the parameters of the decisions; it does not change.
type config struct {
	floor    uint64  // heap floor, bytes
	gogc     int     // growth over the live heap; negative: none of its own
	fallback int     // replaces a negative one: the least growth that is left
	cap      float64 // the CPU cap
	minGOGC  int
	limit    int64 // the runtime's memory limit at Start
}

// state is everything that decisions remember. Its methods are pure.
type state struct {
	begun  bool
	phase  State
	reason string

	demand demand
	// fastest is the highest rate of allocation so far. The present one depends on the
	// margin that follows from it.
	fastest float64
	trend   trend
	lives   recent // live heaps of the last cycles
	budget  budget

	gogc    int // the settings last decided
	limit   int64
	floor   uint64 // heap floor in force
	ceiling uint64 // highest goal that the budget allows
	goal    uint64 // the goal decided
	runway  uint64 // room over the live heap that the cap asks for

	near      time.Duration // when less than MinGOGC was left first; 0 if more is left
	asked     time.Duration // when the phase was last called for
	lastCycle uint64
}

// decide returns the state that follows from an observation; its gogc and
// limit are the settings to be in force from now on.
func (s state) decide(o *observation, c *config) state {
	if s.begun && s.phase != Yielded && (o.gogc != s.gogc || o.limit != s.limit) {
		s = s.yield()
	}
	s.demand = s.demand.learn(o, c.cap)
	s.fastest = max(s.fastest, s.demand.rate.median())
	if !s.begun || o.cycles != s.lastCycle {
		s.trend = s.trend.learn(o.now, o.heap.live)
		s.lives = s.lives.learn(float64(o.heap.live))
		s.lastCycle = o.cycles
	}
	if o.memory.fresh {
		s.budget = s.budget.learn(o.now, &o.memory, o.mapped)
	}
	if s.phase == Yielded {
		return s // hooks and figures continue
	}

	// A floor and the cap may take half of the memory that the machine has left.
	spare := uint64(math.MaxUint64)
	if o.memory.total > 0 {
		spare = saturatingAdd(o.mapped, o.memory.available/2)
	}
	s.floor = min(c.floor, spare)
	recently := s.demand.runway(o.heap, o.procs, c.cap, max(s.demand.newest, s.demand.cost.median()))
	gogc := c.gogc
	if gogc < 0 {
		gogc = c.fallback
	}
	goal := max(o.heap.goal(gogc), o.heap.goalToStartAt(s.floor))
	if !s.budget.known && c.limit == math.MaxInt64 {
		if o.memory.total == 0 {
			spare = o.mapped
		}
		s.phase, s.reason, s.ceiling, s.near = Calm, "no memory limit is known", 0, 0
		return s.set(o, max(goal, min(o.heap.live+recently, spare)), math.MaxInt64)
	}

	forGo, most := c.limit, c.limit // most: without the margin
	if s.budget.known {
		forGo, most = min(forGo, s.budget.forGo(s.fastest)), min(most, s.budget.bytes)
	}
	s.ceiling = highestGoal(forGo, o.nonHeap())
	if c.gogc < 0 {
		goal = max(goal, s.ceiling-min(s.ceiling, s.reserve(o)))
	}
	settled := s.settled(o)
	s.runway = s.demand.runway(settled, o.procs, c.cap, s.demand.cost.median())
	least := settled.live + percent(settled.live, c.minGOGC)
	need := max(settled.live+s.runway, least)
	s = s.takePhase(o.now, need, least)
	if s.phase != Exceeding {
		if s.phase == Calm {
			// Half of the room is left to memory that is taken at once.
			half := o.heap.live + (max(s.ceiling, o.heap.live)-o.heap.live)/2
			goal = max(goal, min(o.heap.live+recently, half))
		}
		// The runtime takes the lower of this goal and the one that the limit allows.
		return s.set(o, goal, forGo)
	}
	// The limit is given up as far as the cap needs it: first the margin, and
	// past that only for a need that is certain, since there the kernel ends
	// the process.
	last := highestGoal(most, o.nonHeap())
	goal = max(need, min(o.heap.live+recently, last))
	// Memory that is mapped over the limit would be taken off the goal
	// (mgcpacer.go, memoryLimitHeapGoal, overage).
	limit := int64(max(goal+goal/exceededSlack+o.nonHeap(), o.mapped))
	if goal <= last {
		limit = min(limit, most)
	}
	return s.set(o, goal, max(limit, forGo))
}

// reserve is the room left under the ceiling where GOGC asks for no goal of its
// own: as much as the live heap has swung lately. In the first span swings are
// not known yet. Then up to half of the room is left, as far as the program could
// fill it while a cycle marks a heap that has jumped to the ceiling.
func (s *state) reserve(o *observation) uint64 {
	if o.now >= spanLength {
		return s.trend.swing()
	}
	half := (s.ceiling - min(s.ceiling, o.heap.live)) / 2
	return max(s.trend.swing(), min(half, s.demand.marking(s.ceiling, o.procs)))
}

// settled is the last cycle's heap with the live heap that is certain: the
// median of the last cycles, since a cycle that is held up takes garbage for
// live, or the trend's, since a steady rise outruns the median.
func (s *state) settled(o *observation) heap {
	h := o.heap
	h.live = min(h.live, max(uint64(s.lives.median()), s.trend.expected(o.now)))
	return h
}

// takePhase compares the goal that the limit allows, the ceiling, with the
// goal that collections need to stay under the cap, and with the least growth.
func (s state) takePhase(now time.Duration, need, least uint64) state {
	switch {
	case least <= s.ceiling:
		s.near = 0
	case s.near == 0:
		s.near = max(now, 1)
	}
	asked, reason := Calm, "collections fit under the limit and the CPU cap"
	switch {
	case need <= s.ceiling:
	case s.trend.rising():
		asked, reason = Exceeding, "the live heap keeps rising towards the limit: collecting harder would only delay the end"
	case s.near != 0 && now-s.near >= patience:
		asked, reason = Exceeding, "the live heap itself stays near the limit or over it: collecting harder frees nothing"
	case s.near != 0:
		asked, reason = Defending, "the live heap is near the limit or over it"
	default:
		asked, reason = Defending, "the live heap fits under the limit, its garbage under the CPU cap does not"
	}
	if asked >= s.phase || now-s.asked >= patience {
		s.phase, s.reason, s.asked = asked, reason, now
	}
	return s
}

// set moves GOGC for a goal, and the memory limit, unless the present ones are
// near enough. GOGC is rounded up, so that floors are kept exactly.
func (s state) set(o *observation, goal uint64, limit int64) state {
	s.goal = goal
	if s.phase != Exceeding && s.ceiling > 0 {
		s.goal = min(goal, s.ceiling)
	}
	if present := o.heap.goal(s.gogc); !s.begun || present < goal || float64(present-goal) > float64(goal)*deadband {
		s.gogc = -1
		if goal < math.MaxUint64 {
			s.gogc = o.heap.gogc(goal)
		}
	}
	if d := math.Abs(float64(limit) - float64(s.limit)); !s.begun || d > float64(limit)*limitDeadband {
		s.limit = limit
	}
	s.begun = true
	return s
}

func (s state) yield() state {
	s.phase, s.reason = Yielded, "somebody else has set GOGC or the memory limit"
	return s
}
