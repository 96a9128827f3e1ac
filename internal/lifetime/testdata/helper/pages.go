package helper

import "github.com/heapwright/heapwright/arena"

// Pages counts pages, by a function with too many states to be followed.
func Pages(a *arena.Arena, text string, wide []bool) (n int) { return pages(a, text, wide) }

func pages(a *arena.Arena, text string, wide []bool) (n int) {
	var all [16]string
	if wide[0] {
		all[0] = arena.String(a, text)
	}
	if wide[1] {
		all[1] = arena.String(a, text)
	}
	if wide[2] {
		all[2] = arena.String(a, text)
	}
	if wide[3] {
		all[3] = arena.String(a, text)
	}
	if wide[4] {
		all[4] = arena.String(a, text)
	}
	if wide[5] {
		all[5] = arena.String(a, text)
	}
	if wide[6] {
		all[6] = arena.String(a, text)
	}
	if wide[7] {
		all[7] = arena.String(a, text)
	}
	if wide[8] {
		all[8] = arena.String(a, text)
	}
	if wide[9] {
		all[9] = arena.String(a, text)
	}
	if wide[10] {
		all[10] = arena.String(a, text)
	}
	if wide[11] {
		all[11] = arena.String(a, text)
	}
	if wide[12] {
		all[12] = arena.String(a, text)
	}
	if wide[13] {
		all[13] = arena.String(a, text)
	}
	if wide[14] {
		all[14] = arena.String(a, text)
	}
	if wide[15] {
		all[15] = arena.String(a, text)
	}
	for _, text := range all {
		n += len(text)
	}
	return n
}

// LastPages is Pages for a caller that needs the arena no more.
func LastPages(a *arena.Arena, text string, wide []bool) int { return lastPages(a, text, wide) }

func lastPages(a *arena.Arena, text string, wide []bool) int {
	n := pages(a, text, wide)
	var all [16]int
	if wide[0] {
		all[0] = n
	}
	if wide[1] {
		all[1] = n
	}
	if wide[2] {
		all[2] = n
	}
	if wide[3] {
		all[3] = n
	}
	if wide[4] {
		all[4] = n
	}
	if wide[5] {
		all[5] = n
	}
	if wide[6] {
		all[6] = n
	}
	if wide[7] {
		all[7] = n
	}
	if wide[8] {
		all[8] = n
	}
	if wide[9] {
		all[9] = n
	}
	if wide[10] {
		all[10] = n
	}
	if wide[11] {
		all[11] = n
	}
	if wide[12] {
		all[12] = n
	}
	if wide[13] {
		all[13] = n
	}
	if wide[14] {
		all[14] = n
	}
	if wide[15] {
		all[15] = n
	}
	a.Free()
	return n + all[15]
}
