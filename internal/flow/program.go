package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/source"
)

// Program is the source of a program whose objects are followed. A nil Program
// knows nothing. It may be used by one goroutine at a time.
type Program struct {
	index *source.Index
	load  sync.Once

	loader *loader
	ssa    *ssa.Program
	named  []types.Type               // types with methods in the program's packages, ordered by position
	files  map[string][]*ssa.Function // keyed by file; functions inside others come after these
	solved map[question]*heap

	accessors map[*ssa.Function]bool // whether a function is one, by the functions asked about

	until      time.Time // when following ends; zero is never
	unfollowed int       // questions that were asked after that
}

// New returns the program of an index. It is loaded when the first question is
// asked.
func New(x *source.Index) *Program {
	if x == nil {
		return nil
	}
	return &Program{index: x}
}

// Bound ends following objects at a time. Questions that are open then are answered
// with the reason.
func (p *Program) Bound(until time.Time) {
	if p != nil {
		p.until = until
	}
}

// Unfollowed counts the questions that had no answer in time.
func (p *Program) Unfollowed() int {
	if p == nil {
		return 0
	}
	return p.unfollowed
}

func (p *Program) late() bool { return !p.until.IsZero() && time.Now().After(p.until) }

func (p *Program) open() {
	p.loader = newLoader(p.index)
	p.files, p.solved = map[string][]*ssa.Function{}, map[question]*heap{}
	p.accessors = map[*ssa.Function]bool{}
	for _, listed := range p.index.Packages() {
		if p.late() {
			return // nothing is followed any more
		}
		p.loader.check(listed.Path)
	}
	p.ssa = p.loader.program()
	for _, listed := range p.index.Packages() {
		c := p.loader.checked[listed.Path]
		if c.err != nil {
			continue
		}
		for _, f := range c.files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					if obj, ok := c.info.Defs[fn.Name].(*types.Func); ok && p.ssa.FuncValue(obj) != nil {
						name := p.file(fn.Pos())
						p.files[name] = append(p.files[name], p.ssa.FuncValue(obj))
					}
				}
			}
		}
		scope := c.pkg.Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				if n, ok := t.Type().(*types.Named); ok && n.TypeParams() == nil && !types.IsInterface(n) {
					p.named = append(p.named, n)
				}
			}
		}
	}
}

func (p *Program) file(at token.Pos) string { return p.loader.fset.Position(at).Filename }

// build builds a function's body, if it is of the program, and reports whether
// it has one.
func (p *Program) build(fn *ssa.Function) bool {
	if fn.Blocks == nil {
		pkg := fn.Pkg
		if pkg == nil && fn.Origin() != nil {
			pkg = fn.Origin().Pkg
		}
		if pkg != nil && p.loader.listed[pkg.Pkg.Path()].Path != "" {
			pkg.Build()
		}
	}
	return fn.Blocks != nil
}

// method returns the method of a type that a call of an interface's method runs.
func (p *Program) method(t types.Type, m *types.Func) *ssa.Function {
	sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil || types.IsInterface(t) {
		return nil
	}
	return p.ssa.MethodValue(sel)
}

// implementing returns that method of all types of the program that implement
// the interface.
func (p *Program) implementing(t types.Type, m *types.Func) []*ssa.Function {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var all []*ssa.Function
	for _, n := range p.named {
		for _, t := range []types.Type{n, types.NewPointer(n)} {
			if types.Implements(t, i) {
				if fn := p.method(t, m); fn != nil {
					all = append(all, fn)
				}
				break
			}
		}
	}
	return all
}

// standardNames are the methods that the standard library calls of its arguments.
var standardNames = []string{"Close", "Error", "Flush", "Format", "GoString", "Len", "Less", "MarshalBinary", "MarshalJSON", "MarshalText", "Pop",
	"Push", "Read", "ReadAt", "ReadByte", "ReadFrom", "ReadRune", "Scan", "Seek", "String", "Swap", "UnmarshalBinary", "UnmarshalJSON",
	"UnmarshalText", "Unwrap", "Write", "WriteAt", "WriteByte", "WriteRune", "WriteString", "WriteTo"}

// standardMethods returns those that a type of the program has.
func (p *Program) standardMethods(t types.Type) []*ssa.Function {
	var all []*ssa.Function
	if types.IsInterface(t) {
		return nil
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		sel := methods.At(i)
		if pkg := sel.Obj().Pkg(); pkg == nil || p.loader.listed[pkg.Path()].Path == "" || !slices.Contains(standardNames, sel.Obj().Name()) {
			continue
		}
		if fn := p.ssa.MethodValue(sel); fn != nil {
			all = append(all, fn)
		}
	}
	return all
}

// function returns the innermost function that a line stands in.
func (p *Program) function(file string, line int) *ssa.Function {
	for _, fn := range p.files[file] {
		if p.covers(fn, line) {
			p.build(fn)
			return p.innermost(fn, line)
		}
	}
	return nil
}

func (p *Program) innermost(fn *ssa.Function, line int) *ssa.Function {
	for _, inner := range fn.AnonFuncs {
		if p.covers(inner, line) {
			return p.innermost(inner, line)
		}
	}
	return fn
}

func (p *Program) covers(fn *ssa.Function, line int) bool {
	n := fn.Syntax()
	return n != nil && p.line(n.Pos()) <= line && line <= p.line(n.End())
}

func (p *Program) line(at token.Pos) int { return p.loader.fset.Position(at).Line }

// at names a place as people write it: "read.go:12".
func (p *Program) at(pos token.Pos) string {
	if !pos.IsValid() {
		return "a place that is not known"
	}
	at := p.loader.fset.Position(pos)
	return fmt.Sprintf("%s:%d", baseName(at.Filename), at.Line)
}
