package a

import "github.com/heapwright/heapwright/arena"

var lastTitle string

type leaflet struct{ lines [16]string }

// The function has too many states to be followed by its callers, which know only that it keeps
// the title.
func (l *leaflet) fill(a *arena.Arena, title string, wide []bool) {
	title = arena.String(a, title)
	lastTitle = title // want `memory of the arena a is kept in the package's variable lastTitle, but a ends in sellsLeaflet`
	if wide[0] {
		l.lines[0] = arena.String(a, title)
	}
	if wide[1] {
		l.lines[1] = arena.String(a, title)
	}
	if wide[2] {
		l.lines[2] = arena.String(a, title)
	}
	if wide[3] {
		l.lines[3] = arena.String(a, title)
	}
	if wide[4] {
		l.lines[4] = arena.String(a, title)
	}
	if wide[5] {
		l.lines[5] = arena.String(a, title)
	}
	if wide[6] {
		l.lines[6] = arena.String(a, title)
	}
	if wide[7] {
		l.lines[7] = arena.String(a, title)
	}
	if wide[8] {
		l.lines[8] = arena.String(a, title)
	}
	if wide[9] {
		l.lines[9] = arena.String(a, title)
	}
	if wide[10] {
		l.lines[10] = arena.String(a, title)
	}
	if wide[11] {
		l.lines[11] = arena.String(a, title)
	}
	if wide[12] {
		l.lines[12] = arena.String(a, title)
	}
	if wide[13] {
		l.lines[13] = arena.String(a, title)
	}
	if wide[14] {
		l.lines[14] = arena.String(a, title)
	}
	if wide[15] {
		l.lines[15] = arena.String(a, title)
	}
}

func sellsLeaflet(title string, wide []bool) int {
	a := arena.NewArena()
	l := arena.New[leaflet](a)
	l.fill(a, title, wide)
	n := len(l.lines[0])
	a.Free()
	return n
}
