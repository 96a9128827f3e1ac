// Package boxing finds calls in loops that box numbers, strings and the like in
// interfaces although another call takes them unboxed.
package boxing

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/formatting"
	"github.com/heapwright/heapwright/internal/check/repeated"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report calls in a loop that box numbers and strings in interfaces

An interface holds a pointer. A number, string, slice or struct that becomes an
interface is copied to the heap, if the compiler cannot see that the callee does not
keep it. With a parameter of type ...any, that is one allocation for each argument:

	for _, p := range points {
		fmt.Fprintf(w, "%d,%d\n", p.x, p.y)    // two objects for each point
		log.Debug("point", "x", p.x, "y", p.y) // even where the level is off
		sort.Sort(byName(p.tags))              // the slice's header
	}

The check knows calls that another call, without boxing, can replace:

  - fmt's functions and functions of the package that hand their arguments on to them,
    if strconv and WriteString give the same text: each verb is %d, %s, %q, %c, %t or
    %v of a number or string, or %x of a number, without width or flags. Functions that
    print to standard output or make errors are left out: those cost far more;
  - the loggers of log/slog, zap, logr, klog and logrus;
  - sort.Sort, sort.SliceIsSorted and the like, for which there is package slices;
  - heap.Push, sync.Pool.Put and binary.Write;
  - functions of the package that switch on a type which the caller knows.

Values that nothing copies to the heap, such as constants, pointers and single bytes,
do not count. The check reports only values that, according to the compiler, escape to
the heap, so it needs heapwright vet, and is silent under go vet alone. It leaves out
branches that leave the loop, loops of few iterations, and tests. Without a profile in
which the line costs something, it also leaves out calls that some iterations skip,
and calls that box only integers: those below 256 are not allocated.

In lines that cost something in a profile, it also reports the method Pop of a heap whose
callers take the item out of the interface at once. The fix adds methods that pop and push
the type itself, and calls them instead of heap.Pop and heap.Push:

	heap.Pop(q).(job)  →  q.popItem()
	heap.Push(q, j)    →  q.pushItem(j)

Its preconditions: Pop takes the last item of a slice and does nothing else, Push appends,
Len is the length, and Less and Swap only read and assign the items at their indices, so
that the order of these calls makes no difference. There is no other fix: the author
chooses the buffer.`

// Analyzer finds calls that box values in a loop.
var Analyzer = &analysis.Analyzer{
	Name:     "boxing",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

// boxer is a call that boxes arguments, and the remedy.
type boxer struct {
	boxed  []ast.Expr
	remedy string
	always bool // it allocates for the smallest number, too
}

func run(pass *analysis.Pass) (any, error) {
	s := search{pass: pass, declared: map[*types.Func]*ast.FuncDecl{}}
	for _, decl := range rewrite.Nodes[*ast.FuncDecl](pass) {
		if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok && decl.Body != nil {
			s.declared[fn] = decl
		}
	}
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		fn, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
		if !ok || call.Ellipsis.IsValid() || formatting.Formats(pass.TypesInfo, call) {
			continue
		}
		b := s.boxer(c, fn.Origin())
		if len(b.boxed) == 0 {
			continue
		}
		loop, ok := repeated.Around(pass, c)
		if !ok {
			continue
		}
		if !b.always && !slices.ContainsFunc(b.boxed, s.large) {
			loop.Category = rewrite.Sometimes
		}
		pass.Report(analysis.Diagnostic{
			Pos: repeated.Position(b.boxed[0]), End: b.boxed[len(b.boxed)-1].End(), Category: loop.Category,
			Message: fmt.Sprintf("%s boxes %s in each iteration: %s", callee(call, fn), list(b.boxed), b.remedy),
		})
	}
	s.reportHeaps()
	return nil, nil
}

// callee returns the function of a call as the source writes it, if that is short.
func callee(call *ast.CallExpr, fn *types.Func) string {
	if text := types.ExprString(call.Fun); len(text) <= longest {
		return text
	}
	return fn.Name()
}

// longest is the length of the expressions that a message quotes.
const longest = 30

// list joins the texts of expressions, up to a few.
func list(exprs []ast.Expr) string {
	const shown = 3
	var all []string
	for i, e := range exprs {
		if text := types.ExprString(e); i < shown && len(text) <= longest {
			all = append(all, text)
			continue
		}
		rest := fmt.Sprintf("%d values", len(exprs)-i)
		if len(exprs)-i == 1 {
			rest = "one value"
		}
		all = append(all, rest)
		break
	}
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}

// search knows the functions of a package.
type search struct {
	pass     *analysis.Pass
	declared map[*types.Func]*ast.FuncDecl
}

// boxer returns the boxed arguments of a call that has a remedy.
func (s *search) boxer(c inspector.Cursor, fn *types.Func) boxer {
	call := c.Node().(*ast.CallExpr)
	name := fn.FullName()
	if t, ok := takers[name]; ok {
		return s.argument(c, t)
	}
	if b, ok := s.logged(call, fn); ok {
		return b
	}
	if p, ok := s.printer(call, fn); ok {
		return boxer{boxed: s.formatted(call, p), remedy: p.remedy}
	}
	return s.switched(call, fn)
}

// variadic returns the boxed arguments among those for a last parameter ...any.
func (s *search) variadic(call *ast.CallExpr, fn *types.Func) []ast.Expr {
	first := fn.Signature().Params().Len() - 1
	var all []ast.Expr
	for i, arg := range call.Args {
		if i >= first && s.boxes(arg) {
			all = append(all, arg)
		}
	}
	return all
}

// boxes reports whether the conversion of an expression to an interface copies it to
// the heap, if it escapes: not if it is a constant or already an interface, if its
// word is a pointer, or if it has no more than a byte, for which there is a table
// (cmd/compile/internal/walk, dataWord).
func (s *search) boxes(arg ast.Expr) bool {
	tv := s.pass.TypesInfo.Types[arg]
	if tv.Value != nil || tv.IsNil() || tv.Type == nil || types.IsInterface(tv.Type) {
		return false
	}
	t := sole(tv.Type)
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature, *types.Tuple:
		return false
	case *types.Basic:
		if u.Kind() == types.UnsafePointer || u.Kind() == types.Invalid {
			return false
		}
	}
	return !rewrite.Parametric(t) && s.pass.TypesSizes.Sizeof(t) > 1
}

// large reports whether a value is not an integer. The runtime has a table of
// integers below 256 (runtime/iface.go, convT64), and levels, indices and lengths
// often are that small.
func (s *search) large(arg ast.Expr) bool {
	basic, ok := sole(s.pass.TypesInfo.TypeOf(arg)).Underlying().(*types.Basic)
	return !ok || basic.Info()&types.IsInteger == 0
}

// sole returns the type of the only field or element of a type, all the way down.
func sole(t types.Type) types.Type {
	for {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if u.NumFields() != 1 {
				return t
			}
			t = u.Field(0).Type()
		case *types.Array:
			if u.Len() != 1 {
				return t
			}
			t = u.Elem()
		default:
			return t
		}
	}
}
