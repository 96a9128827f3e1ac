package gctune

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"
)

// The tuner observes at each end of a collection and at each tick; if a tick finds
// nothing new, the next one comes after a rest.
const (
	tick = time.Second
	rest = 5 * tick
)

// A Tuner keeps the heap floor and the memory limit of the process, from one goroutine.
// There is at most one at a time: see [Start].
type Tuner struct {
	options Options
	config  config
	process process
	cycle   <-chan struct{}
	close   func()
	quit    chan struct{}
	done    chan struct{}

	found struct { // settings at Start
		gogc  int
		limit int64
	}
	state state       // the goroutine's
	seen  observation //
	hooks []armedHook //

	mu   sync.Mutex
	last Snapshot
}

func newTuner(o Options, p process, cycle <-chan struct{}, close func()) (*Tuner, error) {
	t := &Tuner{options: o, process: p, cycle: cycle, close: close, quit: make(chan struct{}), done: make(chan struct{})}
	p.observe(&t.seen)
	t.found.gogc, t.found.limit = t.seen.gogc, t.seen.limit
	t.config = config{floor: uint64(o.MinHeap), gogc: o.GOGC, cap: o.MaxGCCPU, minGOGC: o.MinGOGC, limit: t.found.limit}
	if o.GOGC == 0 {
		t.config.gogc = t.found.gogc
	}
	t.config.fallback = t.found.gogc
	if t.config.fallback < 0 {
		t.config.fallback = defaultGOGC
	}
	m := &t.seen.memory
	switch {
	case o.Limit > 0 && m.from == "options" && m.room < 0:
		return nil, optionError("Limit", "%s is below the %s that the process already uses: raise it", size(o.Limit), size(o.Limit-m.room))
	case t.config.gogc < 0 && m.limit == 0 && t.found.limit == math.MaxInt64:
		return nil, optionError("GOGC", "it is off and no memory limit is known, so nothing would ever be collected: set a limit, or a percentage")
	case m.limit != 0 && t.config.floor > m.limit:
		o.log().Warn("gctune: the heap floor is above the memory limit and is cut to fit: lower MinHeap or raise the limit",
			"floor", t.config.floor, "limit", m.limit, "from", m.from)
	}
	for _, h := range o.Hooks {
		t.hooks = append(t.hooks, armedHook{Hook: h, busy: make(chan struct{}, 1)})
	}
	if m.limit == 0 && len(o.Hooks) > 0 {
		o.log().Warn("gctune: no memory limit is known, so hooks have no share to be called at: set Limit")
	}
	t.state.gogc, t.state.limit = t.found.gogc, t.found.limit
	t.apply()
	return t, nil
}

func (t *Tuner) run() {
	defer close(t.done)
	slow := time.NewTicker(tick)
	defer slow.Stop()
	for {
		select {
		case <-t.quit:
			return
		case <-t.cycle:
		case <-slow.C:
			if t.process.quiet() {
				slow.Reset(rest)
				continue
			}
		}
		slow.Reset(tick)
		t.process.observe(&t.seen)
		t.apply()
	}
}

// apply decides on the observation and brings the settings into force.
func (t *Tuner) apply() {
	was := t.state
	t.state = was.decide(&t.seen, &t.config)
	moved := t.state.phase != Yielded && (t.state.gogc != t.seen.gogc || t.state.limit != t.seen.limit)
	if moved {
		gogc, limit := t.process.set(t.state.gogc, t.state.limit)
		if gogc != t.seen.gogc || limit != t.seen.limit {
			// Other code was faster, and its setting stays.
			t.process.set(gogc, limit)
			t.seen.gogc, t.seen.limit = gogc, limit
			t.state = t.state.yield()
			t.state.gogc, t.state.limit = was.gogc, was.limit
		}
	}
	if t.state.phase == Yielded && t.restore() && was.phase == Yielded {
		t.options.log().Info("gctune: a setting of its own was put back by somebody else, and is replaced by what Start found",
			"gogc", t.seen.gogc, "limit", t.seen.limit)
	}
	now := t.account(&was, moved)
	t.explain(&was, &now)
	t.callHooks(&now)
}

// restore replaces the tuner's own settings by the ones that Start found, and reports whether
// there was any. If other code has set one of the two, the other is restored as well, because
// half of a decision must not stay. The same happens if a setting of the tuner's comes back
// later, because other code changed it for a while and then restored it. A value that other
// code sets between observing and setting stays.
func (t *Tuner) restore() bool {
	gogc, limit := t.seen.gogc, t.seen.limit
	if gogc == t.state.gogc {
		gogc = t.found.gogc
	}
	if limit == t.state.limit {
		limit = t.found.limit
	}
	if gogc == t.seen.gogc && limit == t.seen.limit {
		return false
	}
	oldGOGC, oldLimit := t.process.set(gogc, limit)
	if oldGOGC != t.seen.gogc || oldLimit != t.seen.limit {
		if oldGOGC != t.seen.gogc {
			gogc = oldGOGC
		}
		if oldLimit != t.seen.limit {
			limit = oldLimit
		}
		t.process.set(gogc, limit)
	}
	t.seen.gogc, t.seen.limit = gogc, limit
	return true
}

func (t *Tuner) account(was *state, moved bool) Snapshot {
	now := t.state.snapshot(&t.seen)
	t.mu.Lock()
	defer t.mu.Unlock()
	now.Decisions, now.Defended, now.Exceeded = t.last.Decisions, t.last.Defended, t.last.Exceeded
	now.HookErrors, now.LimitsMoved = t.last.HookErrors, t.last.LimitsMoved
	if moved {
		now.Decisions++
	}
	if was.phase != t.state.phase {
		switch t.state.phase {
		case Defending:
			now.Defended++
		case Exceeding:
			now.Exceeded++
		}
	}
	if was.budget.known && was.budget.limit != now.Limit {
		now.LimitsMoved++
	}
	t.last = now
	return now
}

// explain logs changes with their reasons. Changes of GOGC alone are common, so they are logged
// at debug level.
func (t *Tuner) explain(was *state, now *Snapshot) {
	log := t.options.log()
	if was.begun && was.budget.limit != now.Limit {
		log.Info("gctune: the memory limit has changed", "from", was.budget.limit, "to", now.Limit, "set_by", now.LimitFrom)
	}
	switch {
	case t.state.phase == was.phase && was.begun:
		if was.gogc != t.state.gogc && log.Enabled(context.Background(), slog.LevelDebug) {
			log.Debug("gctune: paced", t.figures(now)...)
		}
	case t.state.phase == Yielded:
		log.Warn("gctune: somebody else has set GOGC or the memory limit; gctune leaves both alone from now on: remove the other call, or Stop and Start", t.figures(now)...)
	case t.state.phase == Exceeding:
		log.Warn("gctune: the memory limit is given up to keep the CPU cap: find what holds the heap, shed load, or raise the limit", t.figures(now)...)
	case t.state.phase == Defending:
		log.Warn("gctune: the CPU cap may be exceeded for the memory limit: raise the limit or lower the load", t.figures(now)...)
	default:
		log.Info("gctune: in charge", t.figures(now)...)
	}
	gone := was.budget.known && !t.state.budget.known && t.config.limit == math.MaxInt64
	if gone && t.config.gogc < 0 && t.state.phase != Yielded {
		log.Warn("gctune: GOGC is off and the memory limit is gone, so collections go by another GOGC until there is one: set Limit, or GOGC to a percentage",
			"gogc", t.config.fallback)
	}
}

func (t *Tuner) figures(now *Snapshot) []any {
	return []any{"reason", now.Reason, "gogc", now.GOGC, "limit", now.MemoryLimit, "goal", now.Goal, "live", now.Live,
		"ceiling", now.Ceiling, "runway", now.Runway, "non_go", now.NonGo, "gc_cpu", now.GCCPU}
}

func (t *Tuner) stats() Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// end stops the goroutine and restores the settings that Start found, unless other code has set
// them since.
func (t *Tuner) end() {
	close(t.quit)
	<-t.done
	t.process.observe(&t.seen)
	t.restore()
	t.close()
}
