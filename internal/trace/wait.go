package trace

import "golang.org/x/exp/trace"

// collectorReasons are the reasons to block that only the collector gives. A
// goroutine is "preempted" when its stack is scanned.
var collectorReasons = map[string]bool{
	"GC mark assist wait for work": true, "GC weak to strong wait": true, "wait until GC ends": true, "preempted": true,
}

// WaitKind says for which kind of shared thing a goroutine waits.
type WaitKind string

// Kinds of waits.
const (
	LockWait      WaitKind = "lock"      // a lock of package sync
	PoolWait      WaitKind = "pool"      // a connection of database/sql, a weighted semaphore
	ChannelWait   WaitKind = "channel"   // a channel or a select
	ConditionWait WaitKind = "condition" // sync.Cond
	GroupWait     WaitKind = "group"     // sync.WaitGroup, as in singleflight
	stopWait      WaitKind = "stop"      // a turn at stopping the world
	readyWait     WaitKind = "ready"     // a processor
)

// wait is a goroutine's wait that is not for the collector.
type wait struct {
	kind  WaitKind // "" is an idle wait
	sends bool     // into a channel
	since int64
	site  site
}

// forCollector reports whether a goroutine that blocks does so for the collector.
func forCollector(reason string, at site) bool {
	return collectorReasons[reason] || reason == "sync" && at.collector
}

// waitFor returns the wait that a reason and a stack describe.
func waitFor(reason string, at site, now int64) wait {
	w := wait{since: now, site: at}
	switch {
	case at.pool:
		w.kind = PoolWait
	case reason == "sync" && at.stops:
		w.kind = stopWait
	case reason == "sync" && at.lock:
		w.kind = LockWait
	case reason == "sync":
		w.kind = GroupWait
	case reason == "sync.(*Cond).Wait":
		w.kind = ConditionWait
	case reason == "chan send":
		w.kind, w.sends = ChannelWait, true
	case reason == "chan receive", reason == "select":
		w.kind = ChannelWait
	}
	return w
}

// earlier is the part of a wait for which a goroutine must have been busy before it,
// to be busy for others. It covers the time between handing work over and waiting for it.
const earlier = 0.1

// unstated stands for the reason of a wait that began before the trace. Locks and pools are
// known by the stack.
const unstated = "sync"

// shared reports whether a goroutine that by wakes has waited behind the work of others,
// instead of being idle or waiting for its own work. by is nil if no goroutine woke it.
//
// Locks and pools are always shared, and so are full channels in the handler of a request.
// A goroutine that receives there may also wait for news, or for a goroutine that it has
// started: then by is busy only since g waits, or since g woke it. Elsewhere, only permits
// are shared, because other goroutines wait for work.
func (m *machine) shared(g, by *goroutine, release site) bool {
	switch w := &g.wait; {
	case !g.exact || w.kind == "":
		return false
	case w.kind == LockWait, w.kind == PoolWait, w.kind == stopWait, w.sends && w.site.request:
		return true
	case by == nil || by == g || by.wokenBy == g.id:
		return false
	case g.wantsPermit(by, release, m.now):
		return true
	default:
		before := int64(earlier * float64(m.now-w.since))
		return w.site.request && by.joined.began+before <= w.since
	}
}

// awaken ends a goroutine's wait, and its joined bursts unless the wait was shared.
func (m *machine) awaken(g *goroutine, e trace.Event) {
	var by *goroutine
	release := site{at: Place{Function: unknown}}
	if id := e.Goroutine(); id != trace.NoGoroutine {
		by, release = m.goroutine(id), m.sites.of(e.Stack())
	}
	shared := m.shared(g, by, release)
	g.pass(m.now)
	if !shared {
		m.endJoined(g)
		g.joined = burst{whole: true, began: m.now, pays: g.joined.pays[:0]}
		g.wokenBy, g.from = 0, g.wait.site.at
		if by != nil {
			g.wokenBy = by.id
		}
		return
	}
	took := m.now - g.wait.since
	g.joined.length += took
	g.gone.doing = "" // others wait for the goroutines that kept it waiting
	w := &g.wait
	if w.kind == stopWait {
		n := m.causes.stop(w.site)
		m.causes.all[n].waited += took
		g.joined.pay(n, took)
		return
	}
	parts := []part{{from: w.since, to: m.now, holder: release}}
	if by != nil {
		parts = blame(w.since, m.now, release, by)
	}
	g.waitedBehind(parts)
	for _, p := range parts {
		n := m.causes.wait(w.kind, w.site, p.holder)
		c := &m.causes.all[n]
		c.add(p.to - p.from)
		p.away.during(p.from, p.to, c)
		g.joined.pay(n, p.to-p.from)
	}
}

// endJoined files the joined bursts of a goroutine. They ended when its present wait
// began, because settle leaves such waits out.
func (m *machine) endJoined(g *goroutine) {
	if b := &g.joined; b.whole && !g.system {
		m.joined.add(b.length, b.parts, b.pays)
	}
	g.joined.whole = false
}
