// Package requests finds gRPC handlers that keep memory of their request, and the
// servers that decode requests into arenas which end with the call.
//
// The stance: a report needs both. What cannot be followed is taken to keep nothing.
package requests

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/ssa"
)

// Analyzer finds the faults of a package: its result is a []Fault. It does nothing
// in packages without handlers, functions of messages and servers.
var Analyzer = &analysis.Analyzer{
	Name:       "requests",
	Doc:        "follow the requests of gRPC handlers",
	Requires:   []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer},
	ResultType: reflect.TypeFor[[]Fault](),
	FactTypes:  []analysis.Fact{new(behaviour)},
	Run:        run,
}

// A Fault is a request that is kept although it dies with its call.
type Fault struct {
	Pos     token.Pos
	Message string
}

// Report reports the faults of a package.
func Report(pass *analysis.Pass) {
	for _, f := range pass.ResultOf[Analyzer].([]Fault) {
		pass.Reportf(f.Pos, "%s", f.Message)
	}
}

// behaviour describes a function for the packages that call it. Parameters are
// counted with the receiver first.
type behaviour struct {
	Keeps   []Keep    // parameters of which it keeps memory
	Results []Result  // values that share memory with parameters
	Makes   []Handler // handlers that keep requests, of the implementation that it returns
	Serves  []Service // handlers that keep requests, and that it registers
	Decodes decodes   // the server, or the options, that it returns
}

func (*behaviour) AFact() {}

func (*behaviour) String() string { return "requests" }

// A Keep is memory of a parameter that outlives the call.
type Keep struct {
	Param int
	In    int    // the parameter through which it is kept, or elsewhere
	Text  bool   // it is only strings and bytes
	How   string // as in "keeps %s of its request in the field books"
	Line  string // as in "store.go:12"
	// Concurrent is set if another goroutine gets it, which may end before the call.
	Concurrent bool
	pos        token.Pos
	by         string // the other handler of the same type that the handler calls for it
}

// elsewhere is a place that outlives calls by itself: a package-level variable, a
// goroutine or a channel.
const elsewhere = -1

// A Result describes the memory of a result, by parameters.
type Result struct {
	Is    []int // it is, or is part of, their memory
	Holds []int // it is new, and refers to their memory
	Text  []int // it is, or refers to, their text
}

// A Handler is a method that keeps memory or text of its request.
type Handler struct {
	Name, Method string // "(*store.Memory).Create", "Create"
	Memory, Text *Keep  // the first of each
	fn           *types.Func
}

// A Service lists the handlers that a function registers on a server that it gets as a
// parameter, or on a server with options that it gets.
type Service struct {
	Param    int
	Handlers []Handler
}

// A program is the package that is followed.
type program struct {
	pass      *analysis.Pass
	root      inspector.Cursor
	generated map[*token.File]bool // of those that concern the package
	ssa       *ssa.Package
	functions []*ssa.Function // that are declared in files which people write
	keeps     map[*types.Func][]Keep
	facts     map[*types.Func]*behaviour
	stores    map[any][]ssa.Value // values of fields and package-level variables
	waiting   map[*ssa.Function]bool
	faults    []Fault
	reported  map[token.Position]bool
}

func run(pass *analysis.Pass) (any, error) {
	p := &program{
		pass:      pass,
		root:      pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(),
		generated: map[*token.File]bool{},
		keeps:     map[*types.Func][]Keep{},
		facts:     map[*types.Func]*behaviour{},
		waiting:   map[*ssa.Function]bool{},
		reported:  map[token.Position]bool{},
	}
	if !p.concerned() {
		return p.faults, nil
	}
	p.build()
	for _, fn := range p.functions {
		p.describe(fn)
	}
	p.findImplementations()
	p.findServers()
	for fn, b := range p.facts {
		if !reflect.DeepEqual(b, new(behaviour)) {
			pass.ExportObjectFact(fn, b)
		}
	}
	return p.faults, nil
}

// build builds the package's SSA form. The analyzer buildssa would do so for
// packages without messages, too.
func (p *program) build() {
	prog := ssa.NewProgram(p.pass.Fset, 0)
	prog.SetNoReturn(p.pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs).NoReturn)
	for _, imported := range p.pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	p.ssa = prog.CreatePackage(p.pass.Pkg, p.pass.Files, p.pass.TypesInfo, false)
	p.ssa.Build()
	for c := range p.root.Preorder((*ast.FuncDecl)(nil)) {
		obj, ok := p.pass.TypesInfo.Defs[c.Node().(*ast.FuncDecl).Name].(*types.Func)
		if !ok || p.generated[p.pass.Fset.File(obj.Pos())] {
			continue
		}
		if fn := prog.FuncValue(obj); fn != nil && fn.Blocks != nil {
			p.functions = append(p.functions, fn)
		}
	}
}

// fact returns the behaviour of a function of any package, nil if it is not known.
func (p *program) fact(fn *types.Func) *behaviour {
	if fn == nil {
		return nil
	}
	fn = fn.Origin()
	if fn.Pkg() == p.pass.Pkg {
		return p.facts[fn]
	}
	b := new(behaviour)
	if !p.pass.ImportObjectFact(fn, b) {
		return nil
	}
	return b
}

// of returns the behaviour of a function of the package, to be completed.
func (p *program) of(fn *types.Func) *behaviour {
	if p.facts[fn] == nil {
		p.facts[fn] = new(behaviour)
	}
	return p.facts[fn]
}
