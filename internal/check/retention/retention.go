// Package retention finds small slices and substrings that keep a large one alive.
package retention

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report small slices and substrings that keep a large one alive

A slice or substring shares the memory of the one that it was cut from. The
collector frees none of it while the small part is in use.

	data, err := os.ReadFile(name)
	version = string(data)[:8]     →  version = strings.Clone(string(data)[:8])

The check reports a part of a whole input (of os.ReadFile, io.ReadAll, a command's
output, a buffer that the function filled, or a slice made with 64 KiB and more) that
the function stores in a long-lived place: a variable of a package, or a struct that
has a mutex, by way of the receiver. It is silent where a loop stores many parts,
which together may well be the whole, and where the whole is stored as well.

The preconditions of the fix:

  - the part is a string, which nobody can change through another variable;
  - the language version is go1.18 or later, for strings.Clone, and the name strings
    is free or means the package.`

// Analyzer finds parts of a large slice or string in long-lived places.
var Analyzer = &analysis.Analyzer{
	Name:      "retention",
	Doc:       doc,
	Requires:  []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	FactTypes: []analysis.Fact{new(Result)},
	Run:       run,
}

// Result is the fact that the first result of a function is a whole input, or a part
// of its first parameter.
type Result struct{ Whole, Part bool }

// AFact marks Result as a fact.
func (*Result) AFact() {}

func run(pass *analysis.Pass) (any, error) {
	root := rewrite.Files(pass)
	c := &cutter{pass: pass, results: map[*types.Func]Result{}}
	for round := 0; round < 3; round++ { // a helper may call another one, declared below it
		for fn := range root.Preorder((*ast.FuncDecl)(nil)) {
			c.describe(fn.Node().(*ast.FuncDecl))
		}
	}
	for fn, r := range c.results {
		if fn.Pkg() == pass.Pkg && r != (Result{}) {
			pass.ExportObjectFact(fn, &r)
		}
	}
	for fn, decl := range rewrite.Nodes[*ast.FuncDecl](pass) {
		if decl.Body == nil {
			continue
		}
		c.read(decl.Body, nil)
		if len(c.vars) == 0 && !c.sources {
			continue
		}
		recv := receiver(pass.TypesInfo, decl)
		var found []store
		whole := map[ast.Node]bool{} // the sources that are stored themselves
		for s := range stores(pass.TypesInfo, fn, recv) {
			p := c.classify(s.value)
			switch {
			case p.kind == entire:
				whole[p.src] = true
			case p.kind == part && !perPiece(s.at, p.src):
				found = append(found, store{s.at, s.value, p.src})
			}
		}
		for _, s := range found {
			if !whole[s.src] {
				report(pass, s)
			}
		}
	}
	return nil, nil
}

func report(pass *analysis.Pass, s store) {
	pass.Report(analysis.Diagnostic{
		Pos:            s.value.Pos(),
		End:            s.value.End(),
		Message:        "the part of the input that is stored here keeps all of it alive",
		Related:        []analysis.RelatedInformation{{Pos: s.src.Pos(), End: s.src.End(), Message: "the input"}},
		SuggestedFixes: fix(pass, s),
	})
}

func fix(pass *analysis.Pass, s store) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(s.at)
	basic, ok := types.Unalias(pass.TypesInfo.TypeOf(s.value)).(*types.Basic)
	if f == nil || !ok || basic.Kind() != types.String || !f.AtLeast("go1.18") {
		return nil
	}
	qualifier, edits, ok := f.Import("strings", s.value.Pos())
	if !ok {
		return nil
	}
	edits = append(edits, rewrite.Insert(s.value.Pos(), qualifier+"Clone("), rewrite.Insert(s.value.End(), ")"))
	return f.Fix("Store a copy of the part", edits...)
}
