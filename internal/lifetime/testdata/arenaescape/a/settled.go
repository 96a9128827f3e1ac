package a

import "github.com/heapwright/heapwright/arena"

// Only add sets the names, and adds to them. A call of unknown code takes none away.
type register struct{ names []string }

func (r *register) add(name string) { r.names = append(r.names, name) }

var registered register

func admit(name string, then func()) {
	a := arena.NewArena()
	defer a.Free()
	registered.add(arena.String(a, name)) // want `add keeps memory of the arena a in the package's variable registered`
	then()
}

// forget takes them away, so then may do it.
type visitors struct{ names []string }

func (v *visitors) add(name string) { v.names = append(v.names, name) }

func (v *visitors) forget() { v.names = nil }

var inside visitors

func visit(name string, then func()) {
	a := arena.NewArena()
	defer a.Free()
	inside.add(arena.String(a, name))
	then()
}

// Its methods append to the buffer, by way of others.
type printer struct {
	a   *arena.Arena
	buf []byte
}

func (p *printer) word(b []byte, s string) []byte {
	if s == "" {
		return p.quoted(b, s)
	}
	return append(b, s...)
}

func (p *printer) quoted(b []byte, s string) []byte { return append(append(b, '"'), s...) }

func (p *printer) add(s string) { p.buf = p.word(p.buf, s) }

func printed(fill func(*printer)) []byte {
	p := &printer{a: arena.NewArena()}
	defer p.a.Free()
	p.buf = arena.MakeSlice[byte](p.a, 0, 64)
	fill(p)
	return p.buf // want `memory of the arena p.a is returned, but the deferred Free of p.a ends it`
}
