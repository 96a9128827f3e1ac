package lifetime

import (
	"fmt"
	"strings"
)

// A point is an instruction of a function that is running.
type point struct {
	code         *Code
	block, index int
	late         bool // a deferred call that runs
	in           *Instr
	args         []value // the arguments of the function
	which        int     // the case of a select statement, counted from 1
}

// same reports whether two points are the same instruction, with whatever arguments.
func (p point) same(q point) bool {
	sameCode := p.code == q.code || p.code.Name == q.code.Name
	return sameCode && p.index == q.index && p.block == q.block && p.late == q.late
}

func (p point) key() string { return fmt.Sprint(p.code.Name, p.block, ".", p.index, p.late) }

func keyOf(stack []point) string {
	var b strings.Builder
	for _, p := range stack {
		b.WriteString(p.key())
		b.WriteByte('>')
	}
	return b.String()
}

// A trail is a stack that was seen. Its text names objects and conditions.
type trail struct {
	text  string
	inner map[place]*trail
}

type place struct {
	code         *Code
	block, index int
	late         bool
}

// trail returns the trail of a stack. The text of a deep stack is long, so it is made once.
func (e *engine) trail(stack []point) *trail {
	at := &e.outermost
	for _, p := range stack {
		in := place{code: p.code, block: p.block, index: p.index, late: p.late}
		next := at.inner[in]
		if next == nil {
			next = &trail{text: at.text + p.key() + ">"}
			if at.inner == nil {
				at.inner = map[place]*trail{}
			}
			at.inner[in] = next
		}
		at = next
	}
	return at
}

func (e *engine) here() string { return e.trail(e.stack).text }
