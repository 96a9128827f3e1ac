package trace

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/exp/trace"
)

// maxCycles bounds the collections and the pauses that a document lists.
const maxCycles = 20_000

// machine follows the state of a program through the events of its trace.
type machine struct {
	account
	start      trace.Time
	started    bool
	events     int64
	goroutines map[int64]*goroutine
	lines      *lines
	sites      sites
	causes     *causes
	ready      ready
	waiters    map[string]*Waiter
	bursts     *tail
	delays     *tail
	joined     *tail
	assists    Assists

	cycles []Cycle
	cycle  *cycle // under way; nil is none
	pauses []Pause
	pause  Pause // under way while stopping is not none
	// stopCause is the number of the line that stops the world, or -1 for the collector
	// and for starting or ending the trace.
	stopCause int32
	halts     halts
	omitted   int // cycles and pauses beyond the bound

	heap, goal int64

	longestAssists, longestBursts longest
}

// cycle is a collection under way.
type cycle struct {
	Cycle
	spent   [kinds]int64 // the account when it began
	assists int64
}

func newMachine() *machine {
	c := newCauses()
	return &machine{
		account:    account{stopping: none},
		goroutines: map[int64]*goroutine{}, lines: newLines(), sites: sites{}, causes: c, ready: newReady(c),
		waiters: map[string]*Waiter{}, joined: newTail(),
		bursts: newTail(), delays: newTail(),
	}
}

// take takes the next event.
func (m *machine) take(e trace.Event) {
	m.events++
	if !m.started {
		m.started, m.start = true, e.Time()
	}
	m.advance(int64(e.Time() - m.start))
	switch e.Kind() {
	case trace.EventSync:
		clear(m.lines.seen)
		clear(m.sites)
	case trace.EventMetric:
		m.metric(e.Metric())
	case trace.EventLabel:
		l := e.Label()
		if kind, ok := workers[l.Label]; ok && l.Resource.Kind == trace.ResourceGoroutine {
			g := m.goroutine(l.Resource.Goroutine())
			g.worker, g.system = kind, true
			m.runs(g)
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		m.begin(e)
	case trace.EventRangeEnd:
		m.end(e)
	case trace.EventStateTransition:
		if s := e.StateTransition(); s.Resource.Kind == trace.ResourceGoroutine {
			m.move(e, s)
		}
	}
}

func (m *machine) metric(metric trace.Metric) {
	if metric.Value.Kind() != trace.ValueUint64 {
		return
	}
	v := int64(min(metric.Value.Uint64(), 1<<62))
	switch metric.Name {
	case "/sched/gomaxprocs:threads":
		m.procs = int(min(v, 1<<13))
	case "/memory/classes/heap/objects:bytes":
		m.heap = v
	case "/gc/heap/goal:bytes":
		m.goal = v
	default:
		return
	}
	s := m.steps.at(m.now)
	s.heap, s.goal = max(s.heap, m.heap), max(s.goal, m.goal)
}

func (m *machine) goroutine(id trace.GoID) *goroutine {
	g := m.goroutines[int64(id)]
	if g == nil {
		g = &goroutine{id: int64(id), kind: none, worker: none, stops: none, since: m.now}
		m.goroutines[int64(id)] = g
	}
	return g
}

// begin begins a range, or learns that it began before the trace.
func (m *machine) begin(e trace.Event) {
	// A range that was active when the trace began has no known beginning.
	r := e.Range()
	began := m.now
	if e.Kind() == trace.EventRangeActive {
		began = -1
	}
	// The names of ranges stand in internal/trace/event.go.
	reason, stop := strings.CutPrefix(r.Name, "stop-the-world (")
	switch {
	case r.Name == "GC concurrent mark phase":
		if m.cycle == nil {
			m.cycle = &cycle{spent: m.spent, assists: m.assists.Count}
			m.cycle.Start, m.cycle.Partial, m.cycle.HeapStart = max(began, 0), began < 0, m.heap
			m.cycle.Forced = forcedAt(e.Stack())
		}
	case r.Name == "GC mark assist" && r.Scope.Kind == trace.ResourceGoroutine:
		g := m.goroutine(r.Scope.Goroutine())
		if g.assisting {
			return // a new generation repeats it
		}
		m.settle(g)
		g.assisting, g.assist = true, began
		g.line = m.lines.of(e.Stack())
		g.learn(e.Stack())
		m.runs(g)
	case r.Name == "GC incremental sweep" && began >= 0 && e.Goroutine() != trace.NoGoroutine:
		g := m.goroutine(e.Goroutine())
		m.settle(g)
		g.sweeping = true
		if !g.assisting {
			g.line = m.lines.of(e.Stack())
		}
		m.runs(g)
	case stop && r.Scope.Kind == trace.ResourceGoroutine && m.stopping == none:
		m.beginStop(e, strings.TrimSuffix(reason, ")"), began)
	}
}

// end ends a range.
func (m *machine) end(e trace.Event) {
	r := e.Range()
	switch {
	case r.Name == "GC concurrent mark phase":
		m.endCycle()
	case r.Name == "GC mark assist" && r.Scope.Kind == trace.ResourceGoroutine:
		g := m.goroutine(r.Scope.Goroutine())
		m.settle(g)
		m.endAssist(g)
		m.runs(g)
	case r.Name == "GC incremental sweep" && e.Goroutine() != trace.NoGoroutine:
		g := m.goroutine(e.Goroutine())
		m.settle(g)
		g.sweeping = false
		m.runs(g)
	case strings.HasPrefix(r.Name, "stop-the-world") && m.stopping != none:
		m.endStop(m.goroutine(r.Scope.Goroutine()))
	}
}

func (m *machine) endAssist(g *goroutine) {
	if !g.assisting {
		return
	}
	g.assisting = false
	took := m.now - max(g.assist, 0)
	m.assists.Count++
	m.assists.Elapsed += took
	m.assists.Longest = max(m.assists.Longest, took)
	l := &m.lines.all[g.line]
	l.Assists++
	l.Longest = max(l.Longest, took)
	m.longestAssists.add(Span{Start: max(g.assist, 0), Duration: took, Goroutine: g.id,
		Name: l.Title(), Collector: took})
}

// endPause files the pause that has just ended, and notes it in its collection. The
// pause for mark termination ends after the collection's range.
func (m *machine) endPause() {
	c := (*Cycle)(nil)
	if m.cycle != nil {
		c = &m.cycle.Cycle
	} else if len(m.cycles) > 0 {
		c = &m.cycles[len(m.cycles)-1]
	}
	if c != nil {
		switch m.pause.Reason {
		case "GC sweep termination":
			c.SweepTerm += m.pause.Duration
		case "GC mark termination":
			c.MarkTerm += m.pause.Duration
		}
	}
	if len(m.pauses) >= maxCycles {
		m.omitted++
		return
	}
	m.pauses = append(m.pauses, m.pause)
}

func (m *machine) endCycle() {
	c := m.cycle
	if c == nil {
		return
	}
	m.cycle = nil
	c.Duration = m.now - c.Start
	c.Dedicated = m.spent[dedicated] - c.spent[dedicated]
	c.Fractional = m.spent[fractional] - c.spent[fractional]
	c.Idle = m.spent[idle] - c.spent[idle]
	c.Assist = m.spent[assist] - c.spent[assist]
	c.Assists = m.assists.Count - c.assists
	c.HeapEnd, c.HeapGoal = m.heap, m.goal
	if len(m.cycles) >= maxCycles {
		m.omitted++
		return
	}
	m.cycles = append(m.cycles, c.Cycle)
}

// document sums up the events so far.
func (m *machine) document() *Document {
	if m.cycle != nil {
		m.cycle.Partial = true
		m.endCycle()
	}
	for _, g := range m.goroutines {
		m.settle(g)
		m.file(g, 0)
	}
	m.assists.Running = m.spent[assist]
	doc := &Document{
		Schema: Schema, Events: m.events, Duration: m.now, Procs: m.procs, CPU: map[Class]int64{},
		Cycles: append([]Cycle{}, m.cycles...), Pauses: append([]Pause{}, m.pauses...), Assists: m.assists,
		Timeline: m.steps.timeline(),
	}
	for k, class := range Classes {
		doc.CPU[class] = m.spent[k]
	}
	var paid map[int32]int64
	doc.Bursts, paid = m.bursts.sum()
	doc.Delays, _ = m.delays.sum()
	doc.Lines = m.lines.costliest(paid)
	doc.Joined, paid = m.joined.sum()
	doc.Ready = m.ready.sum(paid)
	doc.Stuck = m.stuck()
	doc.Stops, doc.Waits = m.causes.stops(paid), m.causes.waits(paid)
	doc.Waiters = []Waiter{}
	for _, w := range m.waiters {
		if w.Sum() > 0 {
			doc.Waiters = append(doc.Waiters, *w)
		}
	}
	slices.SortFunc(doc.Waiters, func(a, b Waiter) int {
		return cmp.Or(cmp.Compare(b.Sum(), a.Sum()), strings.Compare(a.Function, b.Function))
	})
	doc.Timeline.Assists, doc.Timeline.Bursts = m.longestAssists.ordered(), m.longestBursts.ordered()
	doc.doubt(m)
	return doc
}
