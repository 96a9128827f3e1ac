package gctune

// Snapshot holds the tuner's figures and decisions at one moment. Sizes are in bytes.
type Snapshot struct {
	State  State
	Reason string // one sentence, why the tuner is in this state

	GOGC        int   // setting in force, percent; -1 is off
	MemoryLimit int64 // the runtime's soft limit in force

	Goal    uint64 // heap size at which the next collection should end
	Ceiling uint64 // highest goal under the limit; 0 without a limit
	Live    uint64 // heap that the last collection found live
	Floor   uint64 // heap floor in force, lower than asked for while the machine is short
	Runway  uint64 // room over the live heap that collections need to keep the cap

	Limit     uint64  // limit on the whole process; 0 if none is known
	LimitFrom string  // "options" or the control group's folder
	NonGo     int64   // charged to the limit, but not mapped by the Go runtime
	Need      uint64  // the part of the limit that no collection could free
	NeedShare float64 // Need/Limit; 0 without a limit

	GCCPU  float64 // share of the CPU that collections took over the last whole second or cycle
	Cycles uint64  // collections since the process began

	Decisions   uint64 // settings moved
	Defended    uint64 // times the CPU cap was given up
	Exceeded    uint64 // times the limit was given up
	HookErrors  uint64
	LimitsMoved uint64 // times the limit changed under the process
}

// snapshot describes a state and the observation that led to it.
func (s *state) snapshot(o *observation) Snapshot {
	v := Snapshot{
		State: s.phase, Reason: s.reason,
		GOGC: s.gogc, MemoryLimit: s.limit,
		Goal: s.goal, Ceiling: s.ceiling, Live: o.heap.live,
		Floor: s.floor, Runway: s.runway,
		GCCPU: s.demand.share, Cycles: o.cycles,
	}
	if s.phase == Yielded {
		v.GOGC, v.MemoryLimit = o.gogc, o.limit
	}
	if s.budget.known {
		v.Limit, v.LimitFrom, v.NonGo = s.budget.limit, o.memory.from, s.budget.nonGo()
		v.Need = uint64(max(v.NonGo, 0)) + o.nonHeap() + o.heap.live
		v.NeedShare = float64(v.Need) / float64(v.Limit)
	}
	return v
}
