package a

import "github.com/heapwright/heapwright/arena"

type almanac struct {
	longest []byte
	pages   [16]string
}

func (m *almanac) remember(a *arena.Arena, text string) {
	b := arena.NewBuffer(a, len(text))
	b.WriteString(text)
	if b.Len() > len(m.longest) {
		m.longest = b.Bytes() // want `memory of the arena a is kept in what m refers to, but a ends in printsAlmanac`
	}
}

// The function is followed with few states, which come from both branches of remember.
func printsAlmanac(m *almanac, text string, wide []bool) {
	a := arena.NewArena()
	var pages [16]string
	if wide[0] {
		pages[0] = arena.String(a, text)
	}
	if wide[1] {
		pages[1] = arena.String(a, text)
	}
	if wide[2] {
		pages[2] = arena.String(a, text)
	}
	if wide[3] {
		pages[3] = arena.String(a, text)
	}
	if wide[4] {
		pages[4] = arena.String(a, text)
	}
	if wide[5] {
		pages[5] = arena.String(a, text)
	}
	if wide[6] {
		pages[6] = arena.String(a, text)
	}
	if wide[7] {
		pages[7] = arena.String(a, text)
	}
	if wide[8] {
		pages[8] = arena.String(a, text)
	}
	if wide[9] {
		pages[9] = arena.String(a, text)
	}
	if wide[10] {
		pages[10] = arena.String(a, text)
	}
	if wide[11] {
		pages[11] = arena.String(a, text)
	}
	if wide[12] {
		pages[12] = arena.String(a, text)
	}
	if wide[13] {
		pages[13] = arena.String(a, text)
	}
	if wide[14] {
		pages[14] = arena.String(a, text)
	}
	if wide[15] {
		pages[15] = arena.String(a, text)
	}
	m.remember(a, text)
	a.Free()
}
