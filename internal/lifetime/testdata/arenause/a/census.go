package a

import "github.com/heapwright/heapwright/arena"

// Each word may or may not be there, so that the function has too many states to follow all.
func census(lines [][]string) (n int) {
	room := arena.NewArena()
	count := arena.New[int](room)
	var a, b, c, d, e, f, g, h *string
	for _, line := range lines {
		for at, word := range line {
			switch at {
			case 0:
				a = arena.New[string](room)
				*a = word
			case 1:
				b = arena.New[string](room)
				*b = word
			case 2:
				c = arena.New[string](room)
				*c = word
			case 3:
				d = arena.New[string](room)
				*d = word
			case 4:
				e = arena.New[string](room)
				*e = word
			case 5:
				f = arena.New[string](room)
				*f = word
			case 6:
				g = arena.New[string](room)
				*g = word
			case 7:
				h = arena.New[string](room)
				*h = word
			}
		}
		if a != nil && len(*a) > *count {
			*count = len(*a)
		}
		if b != nil && len(*b) > *count {
			*count = len(*b)
		}
		if c != nil && len(*c) > *count {
			*count = len(*c)
		}
		if d != nil && len(*d) > *count {
			*count = len(*d)
		}
		if e != nil && len(*e) > *count {
			*count = len(*e)
		}
		if f != nil && len(*f) > *count {
			*count = len(*f)
		}
		if g != nil && len(*g) > *count {
			*count = len(*g)
		}
		if h != nil && len(*h) > *count {
			*count = len(*h)
		}
	}
	room.Free()
	return *count // want `count is used after room.Free`
}
