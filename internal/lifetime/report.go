package lifetime

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Kind is the check that reports a fault.
type Kind int

const (
	Use    Kind = iota // memory is used after its arena ended
	Leak               // an arena is not freed
	Escape             // memory outlives its arena
	Share              // two goroutines use an arena
	Pool               // a value is used that is in a sync.Pool
)

// A Fault is a misuse of an arena or a pool.
type Fault struct {
	Kind    Kind
	Pos     token.Pos
	Message string
	Related []analysis.RelatedInformation
	// stale is set if the use is one that another function may make some day. A use that follows
	// the same end for sure says more.
	stale bool
}

// lexical reports whether the function at a level of the stack is written inside of
// the function that is followed.
func (e *engine) lexical(level int) bool { return e.lexicalCode(e.stack[level].code) }

func (e *engine) lexicalCode(c *Code) bool {
	return c.src != nil && outermost(c.src) == outermost(e.root.src)
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// place is the innermost point of a stack that is written in the function that is
// followed.
func (e *engine) place(at []point) (point, bool) {
	for _, p := range slices.Backward(at) {
		if e.lexicalCode(p.code) {
			return p, true
		}
	}
	return point{}, false
}

// site is the innermost point of a stack that is written in the package.
func (e *engine) site(at []point) (point, bool) {
	for _, p := range slices.Backward(at) {
		if p.code.src != nil && position(p).IsValid() {
			return p, true
		}
	}
	return point{}, false
}

// blamed is the part of a stack up to the function that did not get an object from its
// caller: a function that was given it, and uses it, is right.
func (e *engine) blamed(at []point, obj int) []point {
	given := func(args []value) bool {
		for _, a := range args {
			for _, r := range a.refs {
				o := e.objects[r.obj]
				if r.obj == obj || o.owner == obj || o.old != nil && o.old.id == obj || o.kind == closure && e.inside(o.at) {
					return true
				}
			}
		}
		return false
	}
	for len(at) > 1 && !e.lexicalCode(at[len(at)-1].code) {
		outer := enclosing(at)
		if !given(at[outer].args) {
			break
		}
		at = at[:outer]
	}
	return at
}

// untilHolder is the part of a stack up to the first call that passes a struct with an arena in a
// field, which the function that is followed has made: a method that uses its field is right.
func (e *engine) untilHolder(at []point, arena int) []point {
	holds := func(r ref) bool {
		o := e.objects[r.obj]
		return o.typ != "" && o.typ == e.objects[arena].holder && e.inside(o.at)
	}
	for level, p := range at {
		if level > 0 && !e.lexicalCode(p.code) &&
			slices.ContainsFunc(p.args, func(v value) bool { return slices.ContainsFunc(v.refs, holds) }) {
			return at[:level]
		}
	}
	return at
}

// enclosing is the level of the function in which the last function of a stack is
// written, such as the one with the loop whose body it is.
func enclosing(at []point) int {
	last := len(at) - 1
	name, _, nested := strings.Cut(at[last].code.Name, "$")
	for level := last - 1; level > 0 && nested; level-- {
		if at[level].code.Name == name {
			return level
		}
	}
	return last
}

// within is how messages name the function that is followed, seen from a point.
func (e *engine) within(p point) string {
	if e.lexicalCode(p.code) {
		return "this function"
	}
	return outermost(e.root.src).Name()
}

// inside reports whether the place of a stack is its end.
func (e *engine) inside(at []point) bool {
	return len(at) > 0 && e.lexicalCode(at[len(at)-1].code)
}

// position is where an instruction is in the source.
func position(p point) token.Pos {
	if p.in == nil || p.in.src == nil {
		return token.NoPos
	}
	if p.late && p.in.Op == Defer {
		return p.in.src.Pos()
	}
	if s, ok := p.in.src.(*ssa.Select); ok && p.which > 0 {
		return s.States[p.which-1].Pos
	}
	if c, ok := p.in.src.(*ssa.MakeClosure); ok && c.Fn.Pos().IsValid() && c.Fn.(*ssa.Function).Parent() != nil {
		return c.Fn.Pos()
	}
	if pos := p.in.src.Pos(); pos.IsValid() {
		return pos
	}
	for _, v := range p.in.vals {
		if v != nil && v.Pos().IsValid() {
			if _, ok := v.(ssa.Instruction); ok {
				return v.Pos()
			}
		}
	}
	for i := p.index; i >= 0; i-- {
		if in := p.code.Blocks[p.block].Instrs[i]; in.src.Pos().IsValid() {
			return in.src.Pos()
		}
	}
	return p.code.src.Pos()
}

// faults are the candidates that the function surely has, one for each object and
// death.
func (e *engine) faults() []Fault {
	all := make([]*candidate, 0, len(e.candidates))
	for _, c := range e.candidates {
		if e.sure(c) {
			all = append(all, c)
		}
	}
	type where struct {
		c   *candidate
		pos token.Pos
	}
	// A second end is reported as one, not by what it reads on the way.
	again := map[string]bool{}
	step := func(c *candidate) string {
		return fmt.Sprint(c.death.id, keyOf(c.at[:min(part(c.death.at, c.at)+1, len(c.at))]))
	}
	for _, c := range all {
		if c.use == ended && c.death != nil {
			again[step(c)] = true
		}
	}
	all = slices.DeleteFunc(all, func(c *candidate) bool {
		return c.death != nil && c.from == nil && c.use != ended && again[step(c)]
	})
	var at []where
	for _, c := range all {
		if f, ok := e.describe(c); ok {
			at = append(at, where{c, f.Pos})
		}
	}
	slices.SortStableFunc(at, func(a, b where) int {
		if x, y := a.c.text == eachRound, b.c.text == eachRound; x != y {
			if x {
				return -1
			}
			return 1
		}
		if x, y := e.later(a.c), e.later(b.c); x != y { // the first use after the end
			if y {
				return -1
			}
			return 1
		}
		if a.pos != b.pos {
			return int(a.pos - b.pos)
		}
		if x, y := a.c.use == ended, b.c.use == ended; x != y {
			if x {
				return -1
			}
			return 1
		}
		if a.c.kind != b.c.kind {
			return int(a.c.kind - b.c.kind)
		}
		return a.c.obj - b.c.obj
	})
	var faults []Fault
	done := map[string]bool{}
	for _, w := range at {
		c := w.c
		key := fmt.Sprint(c.kind, c.obj, c.needs)
		if c.death != nil {
			key += fmt.Sprint("d", keyOf(c.death.at))
		}
		switch {
		case c.kind == Share:
			key += keyOf(c.from)
		case c.kind == Escape || c.from != nil && c.kind != Leak:
			key += fmt.Sprint(w.pos)
		}
		line := fmt.Sprint(c.kind, c.needs, e.program.line(w.pos))
		if done[key] || done[line] {
			continue
		}
		done[key], done[line] = true, true
		f, _ := e.describe(c)
		if start, ok := e.otherEnd(c, f); ok && c.needs == "" {
			faults = append(faults, start)
		}
		switch {
		case c.needs != "":
			e.program.doubts = append(e.program.doubts, doubt{c.needs, e.root.Name, f})
			if start, ok := e.otherEnd(c, f); ok {
				e.program.doubts = append(e.program.doubts, doubt{c.needs, e.root.Name, start})
			}
		case c.death != nil && e.objects[c.obj].answer:
			e.program.doubts = append(e.program.doubts, doubt{answers, e.root.Name, f})
		default:
			faults = append(faults, f)
		}
	}
	return faults
}

// later reports whether a use comes in a later round of a loop than the end.
func (e *engine) later(c *candidate) bool {
	return c.death != nil && c.from == nil && (e.nextRound(c.death.at, c.at) || keyOf(c.death.at) == keyOf(c.at))
}

// describe returns a fault as it is reported.
func (e *engine) describe(c *candidate) (Fault, bool) {
	p, ok := e.place(c.at)
	if !ok {
		return Fault{}, false
	}
	f := Fault{Kind: c.kind, Pos: position(p)}
	switch {
	case c.kind == Leak:
		return e.describeLeak(c)
	case c.kind == Share:
		at := e.blamed(c.at, c.obj)
		if c.text == eachRound {
			at = e.untilHolder(at, c.obj)
		}
		if p, ok = e.site(at); ok {
			f.Pos = position(p)
		}
		from, _ := e.place(c.from)
		f.Message = fmt.Sprintf(c.text, e.described(c.obj, c.name))
		if line := e.program.lineOf(e.started(c.from, from)); line > 0 {
			f.Message = strings.Replace(f.Message, lineMark, fmt.Sprint(line), 1)
		}
		if keyOf(c.from) != keyOf(c.at) {
			f.Related = e.path(c.from, "the goroutine uses it here")
		}
	case c.kind == Escape:
		from, ok := e.site(e.blamed(c.from, c.obj))
		if !ok {
			return f, false
		}
		f.Pos = position(from)
		name := e.described(c.death.of, "")
		f.Message = strings.NewReplacer("%s", name, "%[2]s", strings.TrimPrefix(name, "of ")).Replace(c.text)
		f.Message = strings.Replace(f.Message, varMark, c.name, 1)
		if len(e.blamed(c.from, c.obj)) < len(c.from) && from.in.Op != Return &&
			!strings.HasPrefix(f.Message, "a goroutine") {
			f.Message = callName(from.in) + " keeps " + strings.Replace(f.Message, " is kept", "", 1)
		}
		f.Message = strings.Replace(f.Message, "this function", e.within(from), 1)
		f.Related = e.related(c.death)
	case c.kind == Pool:
		return e.describePool(c, f)
	default:
		e.describeUse(c, &f)
	}
	return f, f.Pos.IsValid()
}

// otherEnd is the report at the statement that starts the goroutine of a fault, which
// may be the line that is wrong as well as the use.
func (e *engine) otherEnd(c *candidate, f Fault) (Fault, bool) {
	if c.kind != Share || len(c.from) == 0 || c.text == besideEnd {
		return f, false
	}
	if pos, ok := e.leavesEarly(c); ok {
		return Fault{Kind: Share, Pos: pos, Related: f.Related, Message: "this returns while a goroutine may use the arena " +
			e.described(c.obj, c.name) + ", which the deferred Free ends"}, true
	}
	p, ok := e.place(c.from)
	if start := e.started(c.from, p); ok && e.starts(start) && e.program.line(position(start)) != e.program.line(f.Pos) {
		use := e.program.pass.Fset.Position(f.Pos).Line
		return Fault{Kind: Share, Pos: position(start), Related: f.Related,
			Message: fmt.Sprintf("this goroutine shares the arena %s with the use in line %d",
				e.described(c.obj, c.name), use)}, true
	}
	return f, false
}

// starts reports whether an instruction that is written in the function that is followed
// starts a goroutine.
func (e *engine) starts(p point) bool {
	return p.in != nil && e.lexicalCode(p.code) && (p.in.Op == Go || p.in.Op == Call && contractOf(p.in.Name) == spawns)
}

// started is the point at which the goroutine of a stack began.
func (e *engine) started(at []point, innermost point) point {
	for _, p := range at {
		if p.in.Op == Go || p.in.Op == Call && contractOf(p.in.Name) == spawns {
			return p
		}
	}
	return innermost
}

// described is how messages name an arena: the arena a, or the arena of w.
func (e *engine) described(obj int, name string) string {
	o := e.objects[obj]
	if e.isBorrowed(o) {
		return "of the request"
	}
	if p, ok := e.place(o.at); ok && !e.inside(o.at) && o.name == "" {
		if v, ok := p.in.src.(ssa.Value); ok && !isArena(v.Type()) && sourceName(v) != "" {
			return "of " + sourceName(v)
		}
	}
	if n := e.arenaName(obj); n != "" {
		return n
	}
	return name
}

// related are the calls that lead to the end of memory, and the end.
func (e *engine) related(d *death) []analysis.RelatedInformation {
	return e.path(d.at, "the memory ends here")
}

// path are the points of a stack that are written in the package, from the function that
// is followed inward.
func (e *engine) path(at []point, last string) (all []analysis.RelatedInformation) {
	begun := false
	for _, p := range at {
		begun = begun || e.lexicalCode(p.code)
		if !begun || p.code.src == nil || !position(p).IsValid() {
			continue
		}
		message := last
		if name := callName(p.in); name != "" && len(all) < len(at)-1 {
			message = "by way of " + name
		}
		all = append(all, analysis.RelatedInformation{Pos: position(p), Message: message})
	}
	if len(all) > 0 {
		all[len(all)-1].Message = last
	}
	return all
}

var endings = map[ending]string{freed: "Free", reset: "Reset", rewound: "ResetTo", put: "Put"}

// ended is how messages name the end: "a.Free (line 40), which release calls".
func (e *engine) ended(d *death) string {
	name := e.described(d.of, "")
	if p, ok := e.site(e.objects[d.of].at); ok && name == "" { // another function made it
		name = "the arena"
		if v, ok := p.in.src.(ssa.Value); ok && sourceName(v) != "" {
			name = sourceName(v)
		}
	}
	text := name + "." + endings[d.how]
	if of, ok := strings.CutPrefix(name, "of "); ok {
		text = endings[d.how] + " of the arena of " + of
	}
	p, ok := e.place(d.at)
	if !ok {
		return text
	}
	if by := callName(p.in); by != "" && !e.inside(d.at) {
		return fmt.Sprintf("%s (line %d), which %s calls", text, e.program.lineOf(p), by)
	}
	return fmt.Sprintf("%s (line %d)", text, e.program.lineOf(p))
}

// lives reports whether the owner of memory goes on after an end that is not in the
// function that is followed. Then the functions between the end and the use are wrong,
// and not their caller.
func (e *engine) lives(d *death) bool {
	if e.inside(d.at) || d.how == put {
		return false
	}
	return d.how != freed || strings.HasPrefix(e.objects[e.base(d.of)].key, "global ")
}

func (e *engine) describeUse(c *candidate, f *Fault) {
	if c.death == nil {
		f.Message = c.text
		if use := c.elsewhere; use != nil && use.src.Pos().IsValid() {
			f.Pos, f.Related, f.stale = use.src.Pos(), e.path(c.at, "the memory ends here"), true
		}
		return
	}
	if p, ok := e.site(c.at); ok && e.lives(c.death) {
		f.Pos = position(p)
	}
	// The function that uses the memory runs the one that ends it, which is wrong.
	if i := part(c.death.at, c.at); i > 0 && !e.lexicalCode(c.at[min(i, len(c.at)-1)].code) && e.inside(c.death.at) {
		f.Pos = position(c.death.at[len(c.death.at)-1])
	}
	o := e.objects[c.obj]
	f.Related = e.related(c.death)
	if o.kind != anArena {
		f.Message = c.name + " is used after " + e.ended(c.death) + ", which ended its memory"
		return
	}
	name := e.described(c.obj, c.name)
	f.Message = "the arena " + name + " is used after its Free"
	u := c.at[min(part(c.death.at, c.at), len(c.at)-1)]
	if c.use == ended && u.late {
		if p, ok := e.place(c.death.at); ok {
			f.Pos = position(p)
			f.Message = "the arena " + name + " is freed here, and again by the deferred Free"
		}
	}
}
