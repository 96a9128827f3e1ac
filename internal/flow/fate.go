package flow

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// Fate is the fate of the objects that a line makes.
type Fate struct {
	Dies bool   // all of them, before the call returns
	Kept string // the keeper of one, or why that is not known: "it is stored in ms.msgs at memstore.go:123"
	// Unknown says that Kept names no keeper, but the reason why none is known.
	Unknown bool
	// Unsure says that nothing keeps one but, perhaps, code that was not followed, which
	// Kept names. Only RequestsDie sets it. Callers of Within ask for it with Made.Trusting.
	Unsure bool
}

func unknown(format string, args ...any) Fate {
	return Fate{Kept: fmt.Sprintf(format, args...), Unknown: true}
}

// Made names the objects that a line makes.
type Made struct {
	source.Place
	Column int // the expression's column; 0 stands for the whole line
	// Methods asks for the receivers and arguments of the line's calls: a buffer
	// grows in memory that is its own.
	Methods bool
	// Trusting takes it that code which cannot be followed keeps nothing. The fate of
	// objects that die then names such code, if there is any.
	Trusting bool
	direct   bool // take no type of the program for an interface's value that comes from outside
}

// Within reports whether all that a line makes dies before a function of the
// program that is under way returns. The root is a line in that function.
func (p *Program) Within(root source.Place, made Made) (f Fate) {
	h, f := p.follow(root, &made)
	if h == nil {
		return f
	}
	return h.fate(made, profile.ShortName(root.Function))
}

// Keepers returns the lines that store the objects of a line, or their holders, in memory
// that outlives a function of the program that is under way. The root is a line in that
// function. Code that is not followed counts for nothing, and so does a map with a text as
// its key: that is most often a part of the object, and does not hold the rest.
func (p *Program) Keepers(root source.Place, made Made) []source.Place {
	h, _ := p.follow(root, &made)
	if h == nil { // a smaller part of the program still shows some of the keepers
		made.direct = true
		h, _ = p.follow(root, &made)
	}
	if h == nil {
		return nil
	}
	return h.keepers(made)
}

// Recipient is a call of a dependency's function.
type Recipient struct {
	source.Place
	To string // the function: "example.com/lock.(*Mutex).Lock"
}

// Recipients returns the calls that give the objects of a line, parts of them or their holders to
// dependencies, which are not followed and may keep them. For the root see Keepers.
func (p *Program) Recipients(root source.Place, made Made) []Recipient {
	made.Trusting = true
	h, _ := p.follow(root, &made)
	if h == nil {
		return nil
	}
	return h.recipients(made)
}

// follow solves the heap of a call for a question about it, whose file becomes the
// program's own. Without a heap, the fate says why there is none.
func (p *Program) follow(root source.Place, made *Made) (h *heap, f Fate) {
	if p == nil {
		return nil, unknown("no source is at hand")
	}
	outOfTime := unknown("the budget ended before its flow was followed")
	if p.late() {
		p.unfollowed++
		return nil, outOfTime
	}
	p.load.Do(p.open)
	// The SSA builder panics on source that it does not know.
	defer func() {
		if r := recover(); r != nil {
			h, f = nil, unknown("its source cannot be followed")
		}
	}()
	fn := p.function(p.index.Local(root.Function, root.File), root.Line)
	if fn == nil && p.late() {
		p.unfollowed++
		return nil, outOfTime
	}
	if fn == nil {
		return nil, unknown("the source of %s cannot be followed", profile.ShortName(root.Function))
	}
	h = p.solve(question{fn, made.Trusting, made.direct})
	if h == nil && p.late() {
		p.unfollowed++
		return nil, outOfTime
	}
	if h == nil {
		return nil, unknown("too much is called from %s to follow it", profile.ShortName(root.Function))
	}
	made.File = p.index.Local(made.Function, made.File)
	return h, Fate{}
}

// question selects the call and the assumption for which a heap is solved.
type question struct {
	fn       *ssa.Function
	trusting bool // assume that code which is not followed keeps nothing
	direct   bool // see Made
}

// solve returns the heap of a call of a function with arguments from outside,
// nil where it is too large.
func (p *Program) solve(q question) *heap {
	if h, ok := p.solved[q]; ok {
		return h
	}
	p.solved[q] = nil
	fn, h := q.fn, newHeap(p)
	h.trusting, h.direct = q.trusting, q.direct
	h.enter(fn)
	for _, v := range fn.Params {
		h.add(h.value(v), outside)
	}
	for _, v := range fn.FreeVars {
		h.add(h.value(v), outside)
	}
	h.returned(fn)
	if h.solve() {
		p.solved[q] = h
		h.trace()
	}
	return p.solved[q]
}

// returned lets the results of a function come to be outside.
func (h *heap) returned(fn *ssa.Function) {
	for i := range fn.Signature.Results().Len() {
		h.copy(h.result(fn, i), h.memory[outside].content)
	}
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range r.Results {
				h.leak(h.value(v), r.Pos(), "returned by "+fn.Name())
			}
		}
	}
}

func (h *heap) fate(made Made, root string) Fate {
	found := h.find(made)
	if len(found) == 0 {
		return unknown("the calls from %s to this line cannot be followed", root)
	}
	for _, o := range found {
		if o == 0 {
			return Fate{Kept: "it is part of what " + root + " was given"}
		}
		if h.reached[o] {
			return h.kept(o)
		}
	}
	if h.trusting {
		for _, o := range found {
			if doubt := h.doubt(o); doubt != "" {
				return Fate{Dies: true, Kept: doubt}
			}
		}
	}
	return Fate{Dies: true}
}

// find returns the objects that a line makes or, for methods, uses.
func (h *heap) find(made Made) []int {
	if made.Methods {
		return h.called(made)
	}
	if found := h.madeAt(made, true); len(found) > 0 {
		return found
	}
	return h.madeAt(made, false)
}

// madeAt returns the objects that a line makes. A pointer in an interface is no
// object, and a function without variables is none.
func (h *heap) madeAt(made Made, exactly bool) []int {
	var found []int
	exactly = exactly && made.Column > 0
	for i := range h.objects {
		o := &h.objects[i]
		if !o.pos.IsValid() || !h.program.isAt(o.pos, made) {
			continue
		}
		if exactly && h.program.loader.fset.Position(o.pos).Column != made.Column {
			continue
		}
		if _, boxed := o.value.(*ssa.MakeInterface); boxed && !exactly {
			continue
		}
		if _, constant := o.value.(*ssa.Function); constant {
			continue
		}
		found = append(found, i)
	}
	return found
}

// called returns the objects that a line's calls are methods of, or given by
// reference.
func (h *heap) called(made Made) []int {
	var found []int
	for _, s := range h.sites {
		if !h.program.isAt(s.pos, made) {
			continue
		}
		for _, p := range h.sets[s.value].all {
			found = append(found, h.memory[p].object)
		}
	}
	return found
}

func (p *Program) isAt(pos token.Pos, made Made) bool {
	return p.line(pos) == made.Line && p.file(pos) == made.File
}

func baseName(file string) string { return filepath.Base(strings.ReplaceAll(file, `\`, "/")) }
