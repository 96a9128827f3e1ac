package appendwithoutroom

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// filtered reports a slice to which some iterations append, or each another slice, if a
// loop before can count the elements. Only a profile knows whether that costs less than
// growing.
func (s *search) filtered(c inspector.Cursor, p place) {
	a := appends{place: p}
	counts := &counting{source: s.source, file: s.source.File(c), loop: c, name: "n"}
	total := 0
	counts.added = func(stmt ast.Stmt) (*sum, bool) {
		before := len(a.calls)
		more := a.sum(stmt)
		if more == nil {
			return nil, true
		}
		total += len(a.calls) - before
		return more, true
	}
	counts.touches = func(stmt ast.Stmt) bool { return a.mentioned(stmt) }
	if counts.file == nil || !s.countable(c) {
		return
	}
	_, ok := counts.loopText()
	if n, known := p.mentions(s.source, c); !ok || total == 0 || !known || n != 2*total {
		return
	}
	message := "append grows " + p.String() + " to a length that a loop before can count"
	report(s.pass, a.calls, message, s.countFirst(counts, p, "slices"))
}

// countable reports whether a loop can run twice: over a slice, an array or numbers. Over
// a map it would cost too much.
func (s *search) countable(c inspector.Cursor) bool {
	count, ok := s.source.CountOf(c)
	if !ok || count.Split != nil || !rewrite.Pure(s.pass.TypesInfo, count.Over) || count.Max >= 0 && count.Max <= few {
		return false
	}
	_, isMap := s.pass.TypesInfo.TypeOf(count.Over).Underlying().(*types.Map)
	return !isMap
}

// few is the number of elements below which a second loop costs more than growing.
const few = 8

// countFirst inserts the counting loop, and a call that makes room for the sum: Grow of
// package slices, or with pkg "" the method of a builder.
func (s *search) countFirst(c *counting, p place, pkg string) []analysis.SuggestedFix {
	f, pos := c.file, rewrite.WithLabel(c.loop).Node().Pos()
	above, indent, alone := f.Above(pos)
	if !alone || f.Free(p.v.Name(), pos) || !f.Universe("len", pos) {
		return nil
	}
	grow := p.String() + ".Grow("
	var edits []analysis.TextEdit
	if pkg != "" {
		qualifier, imports, ok := f.Import(pkg, pos)
		if !ok || !f.AtLeast("go1.21") {
			return nil
		}
		edits, grow = imports, p.String()+" = "+qualifier+"Grow("+p.String()+", "
	}
	var ok bool
	if c.name, ok = s.names.Choose(f, pos, c.names("n", "size", "total")...); !ok {
		return nil
	}
	text, _ := c.loopText()
	text = indent + c.name + " := 0\n" + indent + text + indent + grow + c.name + ")\n"
	return f.Fix("Count first", append(edits, rewrite.Insert(above, text))...)
}
