package clean

import "github.com/heapwright/heapwright/arena"

type page struct {
	room  *arena.Arena
	lines []string
	names []string
}

func (p *page) write(s string) {
	p.lines = arena.Append(p.room, p.lines, arena.String(p.room, s))
	p.names = arena.Append(p.room, p.names, s)
}

// copied lets the names lie on the heap.
func (p *page) copied() { p.names = append([]string(nil), p.names...) }

func (p *page) turn(send func([]string)) {
	send(p.lines)
	p.copied()
	p.room.Reset()
	p.lines = nil
	p.names = p.names[:0]
}

type books struct{ open map[string]*page }

func (b *books) close(name string) []string {
	p := b.open[name]
	delete(b.open, name)
	lines := arena.Promote(p.lines)
	p.room.Free()
	return lines
}

// two pages are different ones.
func (b *books) replace(old, name string) int {
	p := b.open[old]
	p.room.Free()
	q := b.open[name]
	return len(q.lines[0])
}

type tape struct {
	a    *arena.Arena
	left int
	cell []byte
}

func (t *tape) next() bool {
	t.a.Reset()
	if t.left == 0 {
		return false
	}
	t.left--
	t.cell = arena.Bytes(t.a, []byte("cell"))
	return true
}

func first(n int) (sum int) {
	t := tape{a: arena.NewArena(), left: n}
	defer t.a.Free()
	for t.next() {
		sum += int(t.cell[0])
	}
	return sum
}

// swap may be called by work, and sets another arena.
type meter struct{ a *arena.Arena }

func (m *meter) swap() {
	m.a.Free()
	m.a = arena.NewArena()
}

func measure(work func(*meter)) int {
	m := &meter{a: arena.NewArena()}
	n := arena.New[int](m.a)
	*n = 1
	got := *n
	work(m)
	m.a.Free()
	return got
}
