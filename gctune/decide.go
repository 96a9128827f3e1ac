package gctune

import (
	"math"
	"time"
)

// posture is what the tuner does about memory.
type posture uint8

const (
	calm       posture = iota // collections fit under both the limit and the CPU cap
	defending                 // they fit under the limit alone: the cap is given up
	conceding                 // the limit is given up to keep the cap
	yielded                   // somebody else set GOGC or the limit: hands off
	postureEnd                //
)

var postureNames = [postureEnd]string{"calm", "defending", "conceding", "yielded"}

func (p posture) String() string { return postureNames[p] }

const (
	// patience is how long a live heap may stand so near to its ceiling that
	// less than MinGOGC is left, before the limit is given up: a swing passes,
	// a death spiral does not. And how long collections have to fit again before
	// the defence ends.
	patience = 10 * time.Second

	// persistent is for how many cycles in a row collections may not fit before
	// a rise gives the limit up: one that was held up by other processes finds
	// more live than there is.
	persistent = 3

	// contendedPatience is how long a concession waits for the CPU that other
	// processes take. Where there is no end to that, as with a quota below
	// GOMAXPROCS, so would there be none to the spiral.
	contendedPatience = 6 * patience

	// slack is how much more room than needed ends a concession.
	slack = 1.1

	// relief is the share of the live heap at the time of the concession under
	// which the live heap has to fall for another try to defend.
	relief = 0.9

	// deadband is how far a goal may be off before GOGC is moved for it.
	deadband = 0.02
)

// config is what the decisions obey; it does not change.
type config struct {
	floor    uint64  // heap floor, bytes
	gogc     int     // growth over the live heap; negative: none of its own
	fallback int     // in place of a negative one where no limit is known
	cap      float64 // of CPU
	minGOGC  int
	limit    int64 // the runtime's memory limit as it was found
}

// state is all that decisions remember. Its methods are pure.
type state struct {
	begun   bool
	posture posture
	reason  string

	demand   demand
	trend    trend
	lives    figure // what cycles have found live
	shortage shortage
	budget   budget
	over     overshoot

	gogc    int // the settings last decided
	limit   int64
	ceiling uint64 // highest goal that the budget allows
	goal    uint64 // the goal decided

	fitted    uint64        // the last cycle after which collections fitted
	fitting   time.Duration // since when they fit; 0 if they do not
	pressed   bool          // they do not, and the live heap keeps rising
	near      time.Duration // since when the live heap is near its ceiling; 0 if not
	held      time.Duration // since when other processes hold a concession up; 0 if none
	conceded  uint64        // the live heap when the limit was given up
	lastCycle uint64
}

// decide returns the state that follows from an observation; its gogc and
// limit are the settings to be in force from now on.
func (s state) decide(o *observation, c *config) state {
	if s.begun && s.posture != yielded && (o.gogc != s.gogc || o.limit != s.limit) {
		s = s.yield()
	}
	s.demand = s.demand.learn(o, c.cap)
	if !s.begun || o.cycles != s.lastCycle {
		s.trend = s.trend.learn(o.now, o.heap.live)
		s.lives = s.lives.learn(float64(o.heap.live))
		s.lastCycle = o.cycles
	}
	if o.memory.fresh {
		s.shortage = s.shortage.learn(o.now, o.memory.available, o.memory.total)
		s.budget = s.budget.learn(o.now, &o.memory, o.mapped)
	}
	if s.posture == yielded {
		return s // hooks and figures go on
	}

	live := o.heap.live
	least := max(live+percent(live, c.minGOGC), 1)
	ample, usual := s.demand.runway(o.heap, o.procs, c.cap)
	owed := s.demand.owed(o, c.cap)
	ample = max(ample, owed)
	need := max(live+usual, least)
	usually, floor := o.heap.goal(c.gogc), o.heap.goalToStartAt(s.shortage.of(c.floor))

	forGo, most := int64(math.MaxInt64), int64(math.MaxInt64) // most: without any margin
	if s.budget.known {
		if s.begun && s.posture != conceding && s.held == 0 && least <= s.ceiling {
			s.over = s.over.learn(o.now, int64(o.mapped)-o.limit, int64(s.budget.limit)/overshootShare)
		}
		forGo, most = s.budget.forGo()-s.over.bytes, s.budget.bytes
	}
	forGo, most = min(forGo, c.limit), min(most, c.limit)
	if forGo == math.MaxInt64 {
		// No limit: what collections need may come from half of what the
		// machine has left, never from more.
		s.posture, s.reason, s.ceiling = calm, "no memory limit is known", 0
		s.pressed, s.near, s.held, s.fitted = false, 0, 0, s.lastCycle
		if c.gogc < 0 {
			usually = o.heap.goal(c.fallback)
		}
		goal := max(usually, floor, min(live+ample, saturatingAdd(o.mapped, o.memory.available/2)))
		return s.pace(o, goal).limited(forGo, forGo)
	}

	s.ceiling = highestGoal(forGo, o.nonHeap())
	s = s.takePosture(o.now, live, need, least)
	top := s.ceiling
	if s.pressed && !s.demand.contended() && s.settled(o, c) > top {
		// A rise that is known takes the margin before it takes the limit.
		forGo = min(forGo+s.budget.margin(), most)
		top = highestGoal(forGo, o.nonHeap())
	}
	switch {
	case s.posture == conceding && !s.waits(o.now):
		return s.concede(o, c, forGo, most, need, owed, least)
	case top < least:
		// Even now the floor under the effective GOGC holds.
		lift := o.limitOver(least)
		return s.pace(o, least).limited(max(forGo, lift), lift)
	default:
		// The floor and what the cap needs, as long as it holds, are kept; all
		// that is more has to be safe for a heap that swings.
		safe := max(o.heap.growthGoal(s.ceiling), least)
		if s.posture == defending && !s.pressed {
			need = min(need, safe)
		}
		asked := min(max(min(usually, safe), floor, need), top)
		return s.pace(o, max(asked, min(live+ample, safe))).limited(forGo, min(forGo, limitFor(asked, o.nonHeap())))
	}
}

// takePosture weighs what the limit allows, the ceiling, against what
// collections need to stay under the cap. What is given up is taken back with
// room to spare, or after a while: need moves by more than the live heap does,
// for only whole cycles fit into a second, and where it just fits the state
// would change all the time.
func (s state) takePosture(now time.Duration, live, need, least uint64) state {
	fits := need <= s.ceiling
	if fits {
		s.fitted = s.lastCycle
	}
	s.fitting = since(s.fitting, now, fits)
	s.near = since(s.near, now, least > s.ceiling)
	s.pressed = !fits && s.trend.rising(s.ceiling)
	rises := s.pressed && s.lastCycle-s.fitted >= persistent
	stays := lasts(s.near, now, patience)
	s.held = since(s.held, now, s.demand.contended() && (s.posture == conceding || rises || stays))

	switch {
	case s.posture == conceding && float64(need)*slack <= float64(s.ceiling):
		s.posture, s.reason = calm, "collections fit under the limit again"
	case s.posture == conceding && float64(live) < float64(s.conceded)*relief:
		s.trend = trend{} // the rise is over
		s.posture, s.reason, s.near = defending, "the live heap has fallen", 0
	case s.posture == conceding:
	case fits && (s.posture == calm || lasts(s.fitting, now, patience)):
		s.posture, s.reason = calm, "collections fit under the limit and the CPU cap"
	case fits:
		s.reason = "collections fit under the limit and the CPU cap again, but not for long yet"
	case s.waits(now):
		s.posture = defending
		s.reason = "the limit would be given up, but other processes take the CPU: the cap cannot be kept now"
	case rises:
		s.posture, s.conceded = conceding, live
		s.reason = "the live heap keeps rising towards the limit: collecting harder would only delay the end"
	case stays:
		s.posture, s.conceded = conceding, live
		s.reason = "the live heap itself stays near the limit or over it: collecting harder frees nothing"
	case s.near != 0:
		s.posture = defending
		s.reason = "the live heap is near the limit or over it, which is lifted as far as MinGOGC asks for"
	default:
		s.posture = defending
		s.reason = "the live heap fits under the limit, its garbage under the CPU cap does not"
	}
	return s
}

// waits reports whether a concession waits for other processes to leave the
// CPU alone: the cap is not promised as long as they do not, and cycles that
// are held up need the margins.
func (s *state) waits(now time.Duration) bool {
	return s.held != 0 && now-s.held < contendedPatience
}

// since returns when something began that was so since from, 0 if it is not so.
func since(from, now time.Duration, so bool) time.Duration {
	switch {
	case !so:
		return 0
	case from == 0:
		return max(now, 1)
	}
	return from
}

// lasts reports whether something that began then is so for d by now.
func lasts(then, now, d time.Duration) bool { return then != 0 && now-then >= d }

// pace moves GOGC for a goal, unless the present one is near enough. It rounds
// up: floors are kept exactly, and no ceiling is passed, since the runtime
// takes the lower of this goal and the one that the memory limit allows.
func (s state) pace(o *observation, goal uint64) state {
	s.goal = goal
	if present := o.heap.goal(s.gogc); s.begun && present >= goal && float64(present-goal) <= float64(goal)*deadband {
		return s
	}
	s.begun, s.gogc = true, -1
	if goal < math.MaxUint64 {
		s.gogc = o.heap.gogc(goal)
	}
	return s
}

// limited moves the memory limit: down for any difference that counts, up
// for one worth the pacer's recomputation or where it is below least.
func (s state) limited(limit, least int64) state {
	if d := limit - s.limit; s.limit < least || d <= -256<<10 || d > s.limit/200 {
		s.limit = limit
	}
	return s
}

func (s state) yield() state {
	s.posture, s.pressed = yielded, false
	s.reason = "somebody else has set GOGC or the memory limit"
	return s
}

// The runtime keeps this share of the limit, at least a mebibyte, free for
// its own inaccuracy (mgcpacer.go, memoryLimitHeapGoalHeadroomPercent,
// memoryLimitMinHeapGoalHeadroom).
const headroomPercent, headroomLeast = 3, 1 << 20

// highestGoal is the heap goal that the runtime allows under a memory limit.
func highestGoal(limit int64, nonHeap uint64) uint64 {
	if limit <= 0 || uint64(limit) <= nonHeap {
		return 0
	}
	goal := uint64(limit) - nonHeap
	headroom := max(goal/100*headroomPercent, headroomLeast)
	return goal - min(goal, headroom)
}

// limitOver is the memory limit under which the runtime allows a heap goal now.
// What is mapped over the limit, free memory too, it takes off the goal
// (mgcpacer.go, memoryLimitHeapGoal, overage): with half of that more, both even
// out.
func (o *observation) limitOver(goal uint64) int64 {
	limit := limitFor(goal, o.nonHeap())
	return limit + (max(int64(o.mapped)-limit, 0)+1)/2
}

// limitFor is the memory limit under which the runtime allows a heap goal, once
// no more is mapped.
func limitFor(goal, nonHeap uint64) int64 {
	headroom := max(goal/(100-headroomPercent)*headroomPercent+headroomPercent*100, headroomLeast)
	return int64(goal + headroom + nonHeap)
}
