package gctune

import (
	"math"
	"sync"
	"time"
)

// model is a process whose heap is governed by the runtime's documented rules
// (pace.go, decide.go cite them) and by nothing else.
type model struct {
	mu      sync.Mutex // for tests in which the tuner's ticker runs
	now     time.Duration
	live    uint64 // at the end of the last cycle
	nonHeap uint64
	nonGo   uint64
	cgroup  uint64  // limit; 0: none
	rate    float64 // bytes per second that the program would allocate
	cost    float64 // CPU seconds per byte marked
	given   float64 // share of the CPU time that the runtime counts
	eager   bool    // cycles start as early as they may, and mark on all processors
	gogc    int
	limit   int64
	o       observation

	available, total uint64 // the machine's memory; 0: unknown

	moves    int
	meddling func() // called between observe and set
}

func newModel() *model {
	return &model{live: 50 << 20, nonHeap: 10 << 20, nonGo: 20 << 20, rate: 100 << 20, cost: 1e-9, given: 1, gogc: 100, limit: math.MaxInt64}
}

// goal is the effective one: the lower of GOGC's and the limit's.
func (m *model) goal() uint64 {
	return max(min(m.heap().goal(m.gogc), highestGoal(m.limit-m.overage(), m.nonHeap)), m.live)
}

// overage is the memory mapped over the limit. Free memory counts until the
// program allocates again: then the runtime gives it back.
func (m *model) overage() int64 { return max(int64(m.mapped())-m.limit, 0) }

func (m *model) mapped() uint64 { return max(m.o.mapped, m.live+m.nonHeap) }

func (m *model) heap() heap { return heap{live: m.live, globals: 100 << 10} }

// cycle lets the heap grow to its goal, or nearly, and collects it down to live.
func (m *model) cycle(live uint64) {
	const procs = 2
	grown := m.goal() - m.live
	gc := m.cost * float64(live) / m.given
	if m.eager {
		grown = min(grown, grown/minTriggerDen*minTriggerNum+uint64(m.rate*gc/procs))
	}
	took := max(float64(grown)/m.rate, 1e-3, gc/procs)
	m.o.allocs += grown
	m.o.gcCPU += gc
	m.o.cpu += gc * m.given
	m.o.totalCPU += took * procs
	m.o.idleCPU += took*procs - gc
	m.o.cycles++
	m.now += time.Duration(took * float64(time.Second))
	m.o.mapped = max(m.goal(), live) + m.nonHeap
	m.live = live
}

// peak is the size of the heap at the end of a cycle that finds live bytes where
// the last one found m.live. The cycle starts at 45/64 of the way to the goal.
// Assists let the program allocate the rest of the way once for each m.live bytes
// that are marked, so the goal is put off while the heap grows; memory that is
// mapped over the limit takes its size off the goal (mgcpacer.go, revise and
// memoryLimitHeapGoal). A program that outruns the assists gets to 1.1 times the
// goal (revise, maxOvershoot).
func (m *model) peak(live uint64) uint64 {
	start, rest, growth := float64(m.start()), 0., max(float64(live)/float64(max(m.live, 1)), 1)
	goal, limited, room := float64(m.heap().goal(m.gogc)), float64(highestGoal(m.limit, m.nonHeap)), float64(m.limit)-float64(m.nonHeap)
	rest = (min(goal, limited) - start) * growth
	if over := start + rest - room; over > 0 && limited-over < goal {
		rest = (limited + room - 2*start) * growth / (1 + growth)
		rest += max(room-start-rest, 0) // up to the limit nothing is taken off
	}
	return uint64(max(start+max(rest, 0), float64(m.goal())*1.1))
}

// start is the heap at which the next cycle starts at the earliest.
func (m *model) start() uint64 { return m.live + (m.goal()-m.live)/minTriggerDen*minTriggerNum }

func (m *model) with(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

func (m *model) observe(o *observation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o.now, o.cycles, o.allocs = m.now, m.o.cycles, m.o.allocs
	o.gcCPU, o.idleCPU, o.totalCPU, o.cpu, o.procs = m.o.gcCPU, m.o.idleCPU, m.o.totalCPU, m.o.cpu, 2
	o.gogc, o.limit, o.heap = m.gogc, m.limit, m.heap()
	o.mapped = m.mapped()
	o.objects, o.free = m.live, o.mapped-m.nonHeap-m.live
	o.memory = memory{fresh: true}
	if m.cgroup != 0 {
		o.memory = memory{limit: m.cgroup, room: int64(m.cgroup) - int64(o.mapped+m.nonGo), from: "model", fresh: true}
	}
	o.memory.available, o.memory.total = m.available, m.total
	if m.meddling != nil {
		m.meddling()
		m.meddling = nil
	}
}

func (m *model) quiet() bool { return false }

func (m *model) set(gogc int, limit int64) (int, int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldGOGC, oldLimit := m.gogc, m.limit
	m.gogc, m.limit = gogc, limit
	m.moves++
	return oldGOGC, oldLimit
}
