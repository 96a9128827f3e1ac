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
