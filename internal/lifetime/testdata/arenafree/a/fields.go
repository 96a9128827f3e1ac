package a

import (
	"sync/atomic"

	"github.com/heapwright/heapwright/arena"
)

type ledger struct {
	a     *arena.Arena
	lines []string
}

func newLedger() *ledger { return &ledger{a: arena.NewArena()} } // want `no function of the package frees the arena in the field a of ledger`

func (l *ledger) add(text string) { l.lines = arena.Append(l.a, l.lines, put(l.a, text)) }

func put(a *arena.Arena, text string) string { return arena.String(a, text) }

func (l *ledger) Close() error { return nil }

// A value that is freed by a helper.
type helped struct{ a *arena.Arena }

func newHelped() *helped { return &helped{a: arena.NewArena()} }

func (h *helped) Close() { release(h.a) }

func release(a *arena.Arena) { a.Free() }

// A method value frees it.
type valued struct{ a *arena.Arena }

func newValued(p *arena.Pool) *valued { v := &valued{}; v.a = p.Get(); return v }

func (v *valued) Close() func() { return v.a.Free }

// A value without an end lives as long as the process.
type forever struct{ a *arena.Arena }

func newForever() *forever { return &forever{a: arena.NewArena()} }

type visitor struct{ a *arena.Arena }

type visitors struct{ all map[string]*visitor }

func (v *visitors) enter(name string) {
	if v.all[name] == nil {
		v.all[name] = &visitor{a: arena.NewArena()}
	}
}

func (v *visitors) leave(name string) {
	delete(v.all, name) // want `no function of the package frees the arena in the field a of visitor`
}

type window struct {
	p     *arena.Pool
	a     *arena.Arena
	names []string
}

func newWindow(p *arena.Pool) *window { return &window{p: p, a: p.Get()} }

func (w *window) Slide() {
	w.names = nil
	w.a = w.p.Get() // want `the arena of the last value is not freed before this overwrites a`
}

func (w *window) Renew() {
	w.a.Free()
	w.a = w.p.Get()
}

func (w *window) Close() { w.a.Free() }

type state struct{ a *arena.Arena }

type holder struct {
	p   *arena.Pool
	now atomic.Pointer[state]
}

func (h *holder) Replace() int {
	old := h.now.Swap(&state{a: h.p.Get()}) // want `the arena .* is not freed on the path`
	if old == nil {
		return 0
	}
	return 1
}

func (h *holder) Exchange() {
	if old := h.now.Swap(&state{a: h.p.Get()}); old != nil {
		old.a.Free()
	}
}

func (h *holder) Later(readers *atomic.Int32) {
	if old := h.now.Swap(&state{a: h.p.Get()}); old != nil && readers.Load() == 0 {
		old.a.Free()
	}
}

func openState(p *arena.Pool) (*ledger, func()) {
	a := p.Get()
	l := arena.New[ledger](a)
	return l, a.Free
}

func droppedFunction(p *arena.Pool) int {
	l, _ := openState(p) // want `the function that frees the arena of l is not called on the path`
	return len(l.lines)
}

func calledFunction(p *arena.Pool) int {
	l, end := openState(p)
	defer end()
	return len(l.lines)
}
