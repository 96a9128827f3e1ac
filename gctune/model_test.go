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
	lost    bool // the group's files
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

// overage is what is mapped over the limit. Free memory counts until the
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
	o.memory.lost, o.memory.available, o.memory.total = m.lost, m.available, m.total
	if m.meddling != nil {
		m.meddling()
		m.meddling = nil
	}
}

func (m *model) set(gogc int, limit int64) (int, int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldGOGC, oldLimit := m.gogc, m.limit
	m.gogc, m.limit = gogc, limit
	m.moves++
	return oldGOGC, oldLimit
}
