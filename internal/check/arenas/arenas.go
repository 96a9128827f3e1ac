// Package arenas follows arenas and their memory through the functions of a package,
// and finds the faults that the checks of arenas report.
package arenas

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// A Kind is the check that reports a fault.
type Kind int

const (
	Use    Kind = iota // of memory after its arena ended
	Leak               // of an arena that is not freed
	Escape             // of memory past the end of its arena
	Share              // of an arena between goroutines
)

// A Fault is a misuse of an arena, at a node.
type Fault struct {
	Kind    Kind
	At      analysis.Range
	Message string
}

// Analyzer finds the faults of a package: its result is a []Fault. It does nothing
// in packages that import no arena.
var Analyzer = &analysis.Analyzer{
	Name:       "arenas",
	Doc:        "follow arenas and their memory",
	Requires:   []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer, rewrite.Analyzer},
	ResultType: reflect.TypeFor[[]Fault](),
	FactTypes:  []analysis.Fact{new(behaviour)},
	Run:        run,
}

// Report reports the faults of one kind.
func Report(pass *analysis.Pass, kind Kind) {
	for _, f := range pass.ResultOf[Analyzer].([]Fault) {
		if f.Kind == kind {
			pass.ReportRangef(f.At, "%s", f.Message)
		}
	}
}

// behaviour describes how a function treats its parameters; a receiver comes first.
type behaviour struct {
	From    int      // the parameter from whose arena the first result comes, -1 if none
	Borrows []bool   // the parameters that are arenas, and that it neither keeps nor ends
	Ends    []bool   // the parameters that are arenas, and that it ends on every path
	Keeps   []keep   // memory of parameters that are arenas, and that outlives the call
	Lends   []loan   // how the parameters that are arenas are handed on
	Opens   bool     // the result holds a new arena, and has a method that frees it
	Inside  []string // fields of that result whose memory is the arena's
	Closes  bool     // it frees the arena that its receiver holds
}

func (*behaviour) AFact() {}

func (*behaviour) String() string { return "arenas" }

const (
	ours    = "github.com/heapwright/heapwright/arena"
	goArena = "arena" // of GOEXPERIMENT=arenas
)

// settled bounds the rounds in which functions that call each other refine their
// facts.
const settled = 20

func run(pass *analysis.Pass) (any, error) {
	var faults []Fault
	if !imports(pass.Pkg) {
		return faults, nil
	}
	graphs := pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	// Helpers call helpers: rounds use the facts of earlier ones until none is new.
	fields := newFields(pass, root)
	facts := map[*types.Func]*behaviour{}
	for round, last := 0, false; !last; round++ {
		faults, last = nil, round >= settled || round > 0 && !fields.changed
		fields.changed = false
		for c := range root.Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			f := newFunction(pass, c, fields)
			if f == nil {
				continue
			}
			switch fn := c.Node().(type) {
			case *ast.FuncDecl:
				f.graph = graphs.FuncDecl(fn)
			case *ast.FuncLit:
				f.graph = graphs.FuncLit(fn)
			}
			if f.graph == nil {
				continue
			}
			f.check()
			if last {
				f.leaks()
				f.shares()
			}
			if fn, b := f.behaves(); fn != nil && !reflect.DeepEqual(facts[fn], b) {
				facts[fn], fields.changed = b, true
				pass.ExportObjectFact(fn, b)
			}
			faults = append(faults, f.faults...)
		}
		if !fields.changed {
			fields.drop(pass, root)
		}
	}
	return faults, nil
}

// imports reports whether a package can have an arena: it imports one, or a package
// that does and may hand one out.
func imports(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == goArena || strings.HasPrefix(p.Path(), ours) {
			return true
		}
	}
	return false
}

// isArena reports whether a type is an arena or a pointer to one.
func isArena(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Name() != "Arena" {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == goArena || path == ours
}

// callee returns the package and the name of the function that a call names, with
// the type for methods, as in ("…/arena", "Slab.New").
func callee(info *types.Info, call *ast.CallExpr) (path, name string) {
	full := rewrite.Callee(info, call)
	if method, ok := strings.CutPrefix(full, "("); ok {
		full = strings.Replace(strings.TrimPrefix(method, "*"), ")", "", 1)
	}
	slash := strings.LastIndexByte(full, '/') + 1
	if i := strings.IndexByte(full, '['); i >= 0 && i < slash {
		slash = strings.LastIndexByte(full[:i], '/') + 1
	}
	path, name, _ = strings.Cut(full[slash:], ".")
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i >= 0 && i < j {
		name = name[:i] + name[j+1:] // type arguments
	}
	return full[:slash] + path, name
}

// api reports whether a call is of an arena package.
func api(info *types.Info, call *ast.CallExpr) (name string, ok bool) {
	path, name := callee(info, call)
	return name, path == goArena || path == ours || path == ours+"/arenapb" || path == ours+"/arenajson"
}

// begins reports whether a call begins an arena that its caller has to free.
func begins(info *types.Info, call *ast.CallExpr) bool {
	name, ok := api(info, call)
	return ok && (name == "NewArena" || name == "Pool.Get")
}

// end is the way in which an arena ends.
type end int

const (
	none end = iota
	reset
	freed
	rewound
)

func (e end) String() string { return [...]string{"", "Reset", "Free", "ResetTo"}[e] }

// ends returns the arena that a call ends.
func (f *function) ends(call *ast.CallExpr) (*types.Var, end) {
	name, ok := api(f.info, call)
	if sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && method {
		switch v := f.arena(sel.X); name {
		case "Arena.Free":
			return v, freed
		case "Arena.Reset":
			return v, reset
		}
	}
	if b := f.behaviour(call); b != nil {
		if b.Closes {
			if v := rewrite.Variable(f.info, f.arguments(call)[0]); f.owns(v) {
				return v, freed
			}
		}
		for i, arg := range f.arguments(call) {
			if i < len(b.Ends) && b.Ends[i] {
				return f.arena(arg), freed
			}
		}
	}
	return nil, none
}
