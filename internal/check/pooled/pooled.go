// Package pooled finds the functions through which a program uses its sync.Pools.
package pooled

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Analyzer exports a Helper for each function that puts a parameter into a pool,
// returns a pooled value, or returns memory of a parameter. It reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:       "pooled",
	Doc:        "find the functions that put a parameter into a sync.Pool, or return a pooled value",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	FactTypes:  []analysis.Fact{new(Helper), new(Reused)},
	ResultType: reflect.TypeFor[*Helpers](),
	Run:        run,
}

// Helper describes how a function treats pooled memory.
type Helper struct {
	Puts    []int   // the parameters that it puts into a pool; Receiver is the receiver
	Fields  []Field // the fields of parameters that it puts into a pool and leaves as they are
	Gets    bool    // its first result comes from a pool
	Shares  bool    // its result shares memory with the receiver, or else with the first parameter
	Through string  // or with these fields of it, names with dots between
}

// Receiver is the index of a method's receiver among Helper.Puts.
const Receiver = -1

// AFact marks Helper as a fact.
func (*Helper) AFact() {}

func (h *Helper) String() string {
	name := func(param int) string {
		if param == Receiver {
			return "puts receiver"
		}
		return fmt.Sprint("puts ", param)
	}
	var all []string
	for _, i := range h.Puts {
		all = append(all, name(i))
	}
	for _, f := range h.Fields {
		all = append(all, name(f.Param)+"."+f.Path)
	}
	if h.Gets {
		all = append(all, "gets")
	}
	if h.Shares {
		all = append(all, strings.TrimSpace("shares "+h.Through))
	}
	return strings.Join(all, ", ")
}

// Helpers answers questions about the calls of one package. Several analyzers ask at the
// same time.
type Helpers struct {
	info  *types.Info
	known map[*types.Func]Helper
	pools func() []*Pool

	reused  map[*types.Var]bool
	foreign func(*types.Var) bool // reports whether another package has a fact Reused

	places places
}

func run(pass *analysis.Pass) (any, error) {
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	h := &Helpers{info: pass.TypesInfo, known: map[*types.Func]Helper{}, reused: map[*types.Var]bool{}}
	h.foreign = func(field *types.Var) bool {
		return field.Pkg() != pass.Pkg && pass.ImportObjectFact(field, new(Reused))
	}
	h.pools = sync.OnceValue(func() []*Pool { return h.survey(root) })
	for c := range root.Preorder((*ast.CallExpr)(nil)) {
		fn := h.callee(c.Node().(*ast.CallExpr))
		if fact := new(Helper); fn != nil && fn.Pkg() != pass.Pkg && pass.ImportObjectFact(fn, fact) {
			h.known[fn] = *fact
		}
	}
	h.findHelpers(root)
	pools := false
	for fn, helper := range h.known {
		if fn.Pkg() == pass.Pkg {
			pools = true
			pass.ExportObjectFact(fn, &helper)
		}
	}
	for c := range root.Preorder((*ast.SliceExpr)(nil)) {
		h.cut(c.Node().(*ast.SliceExpr))
	}
	if pools {
		h.exportReused(pass, root)
	}
	return h, nil
}

func (h *Helpers) describe(fn *types.Func, body *ast.BlockStmt) Helper {
	var now Helper
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil && h.Puts(body, recv) {
		now.Puts = append(now.Puts, Receiver)
	}
	for i := range sig.Params().Len() {
		if h.Puts(body, sig.Params().At(i)) {
			now.Puts = append(now.Puts, i)
		}
	}
	now.Fields = h.putFields(sig, body)
	now.Gets = h.returnsPooled(body)
	now.Shares, now.Through = h.returnsMemory(sig, body)
	return now
}

// callee returns the function that a call names, without its type arguments.
func (h *Helpers) callee(call *ast.CallExpr) *types.Func {
	if fn := typeutil.StaticCallee(h.info, call); fn != nil {
		return fn.Origin()
	}
	return nil
}

// ofPool reports whether fn is the method of sync.Pool with the given name.
func ofPool(fn *types.Func, name string) bool {
	return fn != nil && fn.Name() == name && fn.FullName() == "(*sync.Pool)."+name
}

// Put returns the operands that a call puts into a pool.
func (h *Helpers) Put(call *ast.CallExpr) []ast.Expr {
	fn := h.callee(call)
	if ofPool(fn, "Put") && len(call.Args) == 1 {
		return call.Args
	}
	var all []ast.Expr
	for _, i := range h.known[fn].Puts {
		switch {
		case i == Receiver:
			if x := h.receiver(call); x != nil {
				all = append(all, x)
			}
		case i < len(call.Args):
			all = append(all, call.Args[i])
		}
	}
	return all
}

// receiver returns the operand of a method call, or nil if the method is one of
// an embedded field.
func (h *Helpers) receiver(call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := h.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return nil
	}
	return sel.X
}

// Get reports whether an expression takes a value from a pool.
func (h *Helpers) Get(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return h.Get(e.X)
	case *ast.StarExpr:
		return h.Get(e.X)
	case *ast.CallExpr:
		fn := h.callee(e)
		return ofPool(fn, "Get") || h.known[fn].Gets
	}
	return false
}
