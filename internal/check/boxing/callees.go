package boxing

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// taker is a function that boxes one argument.
type taker struct {
	index  int // of the argument
	of     kind
	remedy string
}

// kind is a set of kinds of types.
type kind int

const (
	number kind = 1 << iota
	text
	slice
	structure
)

var takers = map[string]taker{
	"sort.SliceIsSorted":    {0, slice, "slices.IsSortedFunc takes the slice"},
	"sort.Sort":             {0, slice, "slices.SortFunc takes the slice"},
	"sort.Stable":           {0, slice, "slices.SortStableFunc takes the slice"},
	"container/heap.Push":   {1, number | text | slice | structure, "a heap with a type parameter for its elements boxes nothing"},
	"(*sync.Pool).Put":      {0, slice, "put a pointer"},
	"encoding/binary.Write": {2, number, "append the number to a buffer, as binary.LittleEndian.AppendUint32 does"},
}

// argument returns the call of a function that boxes one argument.
func (s *search) argument(c inspector.Cursor, t taker) boxer {
	call := c.Node().(*ast.CallExpr)
	if t.index >= len(call.Args) || !s.boxes(call.Args[t.index]) {
		return boxer{}
	}
	arg := call.Args[t.index]
	if kindOf(s.pass.TypesInfo.TypeOf(arg))&t.of == 0 {
		return boxer{}
	}
	if strings.HasPrefix(t.remedy, "slices.") && !rewrite.AtLeast(s.pass, rewrite.Syntax(c), "go1.21") {
		return boxer{}
	}
	return boxer{[]ast.Expr{arg}, t.remedy, t.of == number}
}

func kindOf(t types.Type) kind {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return slice
	case *types.Struct:
		return structure
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return number
		case u.Info()&types.IsString != 0:
			return text
		}
	}
	return 0
}

// switched returns the call of a function of the package whose type switch on a
// parameter has the argument's type among its cases.
func (s *search) switched(call *ast.CallExpr, fn *types.Func) boxer {
	decl := s.declared[fn]
	params := fn.Signature().Params()
	if decl == nil || fn.Signature().Variadic() {
		return boxer{}
	}
	for i, arg := range call.Args {
		if i >= params.Len() || !types.IsInterface(params.At(i).Type()) || !s.boxes(arg) || !s.chosen(decl, params.At(i), arg) {
			continue
		}
		return boxer{boxed: []ast.Expr{arg}, remedy: "it chooses by the type, which is known here: a function for " + s.shortType(arg) + " boxes nothing"}
	}
	return boxer{}
}

func (s *search) shortType(e ast.Expr) string {
	return types.TypeString(s.pass.TypesInfo.TypeOf(e), types.RelativeTo(s.pass.Pkg))
}

// chosen reports whether a function begins with a switch on the type of a parameter
// that has a case for the argument's type alone.
func (s *search) chosen(decl *ast.FuncDecl, param *types.Var, arg ast.Expr) bool {
	if len(decl.Body.List) == 0 {
		return false
	}
	sw, ok := decl.Body.List[0].(*ast.TypeSwitchStmt)
	if !ok {
		return false
	}
	var x ast.Expr
	switch a := sw.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0]
	case *ast.ExprStmt:
		x = a.X
	}
	assert, ok := ast.Unparen(x).(*ast.TypeAssertExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(assert.X).(*ast.Ident)
	if !ok || s.pass.TypesInfo.Uses[id] != param {
		return false
	}
	for _, clause := range sw.Body.List {
		clause := clause.(*ast.CaseClause)
		if len(clause.List) == 1 && types.Identical(s.pass.TypesInfo.TypeOf(clause.List[0]), s.pass.TypesInfo.TypeOf(arg)) {
			return true
		}
	}
	return false
}
