package trace

import (
	"cmp"
	"math"

	"golang.org/x/exp/trace"
)

// move takes a change of a goroutine's state.
func (m *machine) move(e trace.Event, s trace.StateTransition) {
	g := m.goroutine(s.Resource.Goroutine())
	g.learn(s.Stack)
	from, to := s.Goroutine()
	if from == trace.GoUndetermined { // how it was when the trace began
		g.state = to
		g.forCollector, g.wait, g.gone = false, wait{}, interval{}
		if to == trace.GoWaiting {
			g.wait = waitFor(unstated, m.sites.of(s.Stack), 0)
		}
		g.joined.began = math.MinInt64 / 2 // nobody knows
		m.enter(g, false)
		return
	}
	if to == g.state { // a new generation repeats it
		return
	}
	runnable := m.now - g.since
	m.settle(g)
	woken := to == trace.GoRunnable && (from == trace.GoNotExist || from == trace.GoWaiting && !g.forCollector)
	if g.state == trace.GoRunnable && to == trace.GoRunning && g.exact && !g.system {
		queue, pause := m.waited(g)
		m.delays.add(runnable, Parts{Queue: queue, Pause: pause}, nil)
	}
	m.leave(g, s, to)
	g.state = to
	if to == trace.GoNotExist || to == trace.GoWaiting && !g.forCollector {
		m.endBurst(g)
	}
	if to == trace.GoNotExist {
		m.endJoined(g)
	}
	if woken {
		m.awaken(g, e)
		g.burst = burst{whole: true, began: m.now, pays: g.burst.pays[:0]}
	}
	m.enter(g, true)
	if to == trace.GoNotExist {
		delete(m.goroutines, g.id)
	}
}

// leave notes why a goroutine leaves the processor, and keeps the absence from which it
// returns.
func (m *machine) leave(g *goroutine, s trace.StateTransition, to trace.GoState) {
	if to == trace.GoRunning {
		g.gone.to = m.now
		g.away.leave(g.gone)
		return
	}
	if g.state != trace.GoRunning {
		return // it stays away
	}
	at, doing := m.sites.of(s.Stack), name(s.Reason)
	m.ready.leaves(g, at, to)
	if to == trace.GoSyscall {
		doing = systemCall
	}
	g.gone = interval{absence: absence{at: at.at, via: at.via, doing: doing}, from: m.now}
	g.forCollector = to == trace.GoWaiting && forCollector(s.Reason, at)
	g.wait = wait{}
	if to == trace.GoWaiting {
		g.wait = waitFor(s.Reason, at, m.now)
	}
}

// enter begins the accounting of the state that a goroutine has got into.
func (m *machine) enter(g *goroutine, exact bool) {
	g.since, g.exact, g.contended = m.now, exact, m.contended
	if queued := g.state == trace.GoRunnable && !g.system; queued != g.queued {
		g.queued = queued
		if queued {
			m.runnable++
		} else {
			m.runnable--
		}
	}
	if g.state == trace.GoRunnable {
		g.queue, g.pause = m.account.queue, m.account.pause
	}
	m.runs(g)
}

// runs counts the goroutine where it belongs from now on.
func (m *machine) runs(g *goroutine) {
	k := g.runs()
	if k == g.kind {
		return
	}
	if g.kind != none {
		m.running[g.kind]--
	}
	if k != none {
		m.running[k]++
	}
	g.kind = k
}

// settle accounts for a goroutine's time since the last change of its state, or
// of the work that it does.
func (m *machine) settle(g *goroutine) {
	dt := m.now - g.since
	g.since = m.now
	contended := m.contended - g.contended
	g.contended = m.contended
	if dt <= 0 || g.system {
		return
	}
	var lost Parts
	switch g.state {
	case trace.GoRunning:
		g.ran += contended
		switch g.kind {
		case assist:
			lost.Assist = dt
			m.lines.all[g.line].Assist += dt
			g.burst.pay(g.line, dt)
		case sweep:
			lost.Sweep = dt
			m.lines.all[g.line].Sweep += dt
			g.burst.pay(g.line, dt)
		case paused:
			lost.Pause = dt
		case stopped:
			if m.stopCause >= 0 {
				g.joined.pay(m.stopCause, dt)
			}
		}
	case trace.GoRunnable:
		lost.Queue, lost.Pause = m.waited(g)
		stops := m.halts.charge(&g.joined, m.now-dt, m.now)
		m.ready.wait(g, dt-lost.Queue-lost.Pause-stops)
	case trace.GoWaiting:
		if !g.forCollector {
			return
		}
		// A collection neither begins nor ends while another stops the world: then the
		// goroutine waits for the stop.
		lost.Wait = dt - m.halts.charge(&g.joined, m.now-dt, m.now)
		if g.assisting {
			m.lines.all[g.line].Assist += dt
			g.burst.pay(g.line, dt)
		}
	default:
		return // system calls
	}
	g.burst.length += dt
	g.burst.parts.add(lost)
	g.joined.length += dt
	g.joined.parts.add(lost)
	g.lost.add(lost)
}

// file adds the loss of a goroutine to the losses of its first function, which may
// become known only when it waits. longest is its loss in one burst.
func (m *machine) file(g *goroutine, longest int64) {
	if lost := g.lost; lost != (Parts{}) && !g.system {
		w := m.waiterOf(g)
		w.Parts.add(lost)
		w.Longest = max(w.Longest, longest)
	}
	g.lost = Parts{}
}

// waited returns the collector's part of the time that a goroutine has been
// runnable.
func (m *machine) waited(g *goroutine) (queue, pause int64) {
	return int64(m.account.queue - g.queue), int64(m.account.pause - g.pause)
}

func (m *machine) endBurst(g *goroutine) {
	b := &g.burst
	if !b.whole || g.system {
		m.file(g, 0)
		return
	}
	b.whole = false
	lost := b.parts.Sum()
	m.file(g, lost)
	m.bursts.add(b.length, b.parts, b.pays)
	m.longestBursts.add(Span{Start: b.began, Duration: m.now - b.began, Goroutine: g.id,
		Name: cmp.Or(g.entry, unknown), Collector: lost})
}

// unknown is the first function of a goroutine of which the trace holds no stack.
const unknown = "(unknown)"

// waiterOf returns the sum for a goroutine's first function.
func (m *machine) waiterOf(g *goroutine) *Waiter {
	entry := cmp.Or(g.entry, unknown)
	if g.waiter != nil && (g.waiter.Function == entry || g.waiter.Function == othersTitle) {
		return g.waiter
	}
	w := m.waiters[entry]
	if w == nil && len(m.waiters) >= maxWaiters {
		w, entry = m.waiters[othersTitle], othersTitle
	}
	if w == nil {
		w = &Waiter{Function: entry}
		m.waiters[entry] = w
	}
	w.Goroutines++
	g.waiter = w
	return w
}
