package a

import "github.com/heapwright/heapwright/arena"

type expr struct {
	op   byte
	val  int
	l, r *expr
}

type folder struct{ a *arena.Arena }

// fold has many ends, with different objects.
func (f *folder) fold(e *expr) *expr {
	if e.op == 0 {
		return e
	}
	n := arena.New[expr](f.a)
	n.op, n.l, n.r = e.op, f.fold(e.l), f.fold(e.r)
	if n.l.op == 0 && n.r.op == 0 && n.op == '+' {
		*n = expr{val: n.l.val + n.r.val}
	}
	return n
}

func depth(e *expr) int {
	if e.op == 0 {
		return 1
	}
	return 1 + max(depth(e.l), depth(e.r))
}

func (f *folder) saved(body []*expr) (saved int) {
	for _, e := range body {
		before := f.a.Mark()
		folded := f.fold(e)
		f.a.ResetTo(before)
		saved += depth(e) - depth(folded) // want `folded is used after f.a.ResetTo \(line \d+\), which ended its memory`
	}
	return saved
}
