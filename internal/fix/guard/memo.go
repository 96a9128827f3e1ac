package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"

	"github.com/heapwright/heapwright/internal/owner"
)

// A benchmark calls a function with the same input many times. A proposal that keeps the
// result of the first call wins every comparison and is worth nothing. Results outlive a
// call in package variables and in maps of structs. So a proposal must not have a
// function write more often than before to such a variable if some function reads it.
//
// Rejected: to search for keys that are compared with the input, because there are too
// many ways to write that; to run the benchmark with another input in each iteration,
// because only the benchmark knows how; to compare its first iteration with later ones,
// because a buffer that is reused, which is an honest remedy, makes later ones cheaper too.

// access counts the reads and writes of a variable by the functions of a package.
type access struct {
	reads, writes int
	first         ast.Node // a write
}

// judgeMemory refuses variables that keep something from one call to the next.
func (p *proposal) judgeMemory(before, after *packages.Package) {
	old, edits := accesses(before), accesses(after)
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		a := edits[name]
		if a.writes > old[name].writes && a.reads > 0 {
			what := name + " keeps memory from one call to the next; a sync.Pool of buffers is allowed"
			p.refuse("memo", p.where(after, a.first), what)
		}
	}
}

// accesses returns the reads and writes of variables that outlive calls, by their names.
func accesses(pkg *packages.Package) map[string]access {
	all := map[string]access{}
	in := inspector.New(pkg.Syntax)
	for c := range in.Root().Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		v, ok := pkg.TypesInfo.Uses[id].(*types.Var)
		if !ok || !inFunction(c) {
			continue
		}
		name := ""
		switch {
		case v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !owner.OfStandard(v.Pkg().Path()):
			name = "the variable " + v.Name()
		case v.IsField() && keeps(v.Type()):
			name = "the field " + v.Name()
		default:
			continue
		}
		if inert(v.Type()) {
			continue
		}
		a := all[name]
		reads, writes := use(pkg.TypesInfo, c)
		if reads {
			a.reads++
		}
		if writes {
			a.writes++
			if a.first == nil || id.Pos() < a.first.Pos() {
				a.first = id
			}
		}
		all[name] = a
	}
	return all
}

func inFunction(c inspector.Cursor) bool {
	for range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return true
	}
	return false
}

// keeps reports whether a struct's field of the type is a place for results by their
// inputs. A slice or a buffer is not: reusing it is an honest remedy.
func keeps(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Map); ok {
		return true
	}
	return strings.TrimPrefix(t.String(), "*") == "sync.Map"
}

// inertTypes hold no results, or nothing can be written to them.
var inertTypes = []string{
	"sync.Pool", "sync.Mutex", "sync.RWMutex", "sync.Once", "sync.WaitGroup", "regexp.Regexp", "strings.Replacer",
	"time.Location", "text/template.Template", "html/template.Template", "encoding/base64.Encoding",
	"encoding/base32.Encoding", "encoding/binary.littleEndian", "encoding/binary.bigEndian", "hash/crc32.Table",
	"hash/crc64.Table", "unicode.RangeTable", "error", "reflect.Type", "log.Logger", "log/slog.Logger",
}

func inert(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Signature); ok {
		return true
	}
	return slices.Contains(inertTypes, strings.TrimPrefix(t.String(), "*"))
}

// use reports whether an expression reads or writes the variable at the cursor: both if
// the variable's memory gets another name, because then nobody can see.
func use(info *types.Info, c inspector.Cursor) (reads, writes bool) {
	if sel, ok := c.Parent().Node().(*ast.SelectorExpr); ok && sel.Sel == c.Node() {
		c = c.Parent()
	}
	// Climb to the largest expression for a part of the variable: v.f[i].g.
	for {
		x := c.Node()
		switch up := c.Parent().Node().(type) {
		case *ast.ParenExpr:
		case *ast.StarExpr:
		case *ast.IndexExpr:
			if up.X != x {
				return true, false
			}
		case *ast.SliceExpr:
			if up.X != x {
				return true, false
			}
		case *ast.SelectorExpr:
			if s := info.Selections[up]; s == nil || s.Kind() != types.FieldVal {
				return true, changes(info.Types[x.(ast.Expr)].Type)
			}
		default:
			return used(info, c)
		}
		c = c.Parent()
	}
}

// used is for the largest expression.
func used(info *types.Info, c inspector.Cursor) (reads, writes bool) {
	x := c.Node().(ast.Expr)
	t := info.Types[x].Type
	if t == nil { // a name on the left of an assignment
		if id, ok := x.(*ast.Ident); ok && info.ObjectOf(id) != nil {
			t = info.ObjectOf(id).Type()
		}
	}
	alias := t != nil && changes(t)
	switch up := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		if slices.Contains(up.Lhs, x) {
			return up.Tok != token.ASSIGN, true
		}
	case *ast.IncDecStmt:
		return true, true
	case *ast.SendStmt:
		return true, up.Chan == x || alias
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			return true, true
		}
		return true, false
	case *ast.RangeStmt:
		if up.X == x {
			return true, false
		}
		return false, true
	case *ast.BinaryExpr, *ast.TypeAssertExpr:
		return true, false
	case *ast.CallExpr:
		if up.Fun == x {
			return true, false
		}
		return true, alias && !onlyReads(info, up, x)
	}
	return true, alias
}

// changes reports whether memory can be changed through a value of the type.
func changes(t types.Type) bool {
	if inert(t) {
		return false
	}
	switch is := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Array:
		return changes(is.Elem())
	case *types.Struct:
		if is.NumFields() > 0 && hasPointerMethods(t) {
			return true
		}
		for f := range is.Fields() {
			if changes(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// hasPointerMethods reports whether methods of an addressable value can change it, as in
// sync.Map, atomic.Value and bytes.Buffer.
func hasPointerMethods(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(t)).Len() > types.NewMethodSet(t).Len()
}

// onlyReads reports whether a call changes nothing of an argument and keeps nothing of it.
func onlyReads(info *types.Info, call *ast.CallExpr, x ast.Expr) bool {
	var name *ast.Ident
	switch f := unwrapped(call.Fun).(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return false
	}
	switch o := info.Uses[name].(type) {
	case *types.Builtin:
		first := len(call.Args) > 0 && call.Args[0] == x
		return !first || slices.Contains([]string{"len", "cap", "min", "max", "print", "println", "panic"}, o.Name())
	case *types.Func:
		return o.Pkg() != nil && (slices.Contains(readers, o.Pkg().Path()) || slices.Contains(readers, o.FullName()))
	}
	return false
}

// readers are packages whose functions change none of their arguments and return no part of
// them that can be changed, and such functions of other packages.
var readers = []string{
	"strings", "strconv", "errors", "hash/crc32", "hash/crc64", "unicode", "unicode/utf8", "path", "regexp",
	"slices.Contains", "slices.Index", "slices.BinarySearch", "slices.Equal", "slices.Max", "slices.Min",
}
