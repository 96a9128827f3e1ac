// Package sorting finds calls of sort.Slice that functions of package slices can replace.
package sorting

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report sort.Slice and sort.SliceStable where slices.SortFunc needs no reflection

sort.Slice puts the slice in an interface, and makes a function that swaps elements by
reflection. slices.SortFunc allocates nothing, and the compiler knows the type:

	sort.Slice(users, func(i, j int) bool { return users[i].age > users[j].age })

becomes

	slices.SortFunc(users, func(a, b user) int { return cmp.Compare(b.age, a.age) })

Equal elements end in the same order: the two functions are generated from one template
(sort/gen_sort_variants.go), so they make the same comparisons and the same swaps.

The check is silent where the code runs once, in tests, for languages before Go 1.21, and
for elements of more than 64 bytes, which each comparison would copy. The preconditions
of the fix:

  - the comparison compares one or more keys, which it reads from the elements i and j of
    the sorted slice in the same way;
  - a key is an integer, a string or a time, or bytes.Compare or the like compares it. A
    floating-point number can be NaN, for which cmp.Compare and < differ. As the last key
    it is compared by <;
  - keys before the last only read, since cmp.Compare evaluates them once;
  - a key takes no address of an element, which would be that of a copy;
  - the type of the elements has a name.`

// Analyzer finds slices that are sorted by reflection.
var Analyzer = &analysis.Analyzer{
	Name:     "sorting",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

// maxElement is the size in bytes up to which slices.SortFunc, which copies the elements that
// it compares, sorts faster than sort.Slice: with Go 1.26 on amd64 it does at 64 bytes, and
// takes longer at 96.
const maxElement = 64

// twins are the functions of package slices that take a comparison.
var twins = map[string]string{"sort.Slice": "SortFunc", "sort.SliceStable": "SortStableFunc"}

func run(pass *analysis.Pass) (any, error) {
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		to, ok := twins[rewrite.Callee(pass.TypesInfo, call)]
		if !ok || len(call.Args) != 2 || !rewrite.AtLeast(pass, rewrite.Syntax(c), "go1.21") || rewrite.Once(pass, c) {
			continue
		}
		slice, ok := pass.TypesInfo.TypeOf(call.Args[0]).Underlying().(*types.Slice)
		if !ok || !rewrite.Parametric(slice.Elem()) && pass.TypesSizes.Sizeof(slice.Elem()) > maxElement {
			continue
		}
		pass.Report(analysis.Diagnostic{
			// The lines of the comparison have costs of their own.
			Pos: call.Pos(), End: call.Args[0].End(),
			Message:        types.ExprString(call.Fun) + " swaps elements by reflection: use slices." + to,
			SuggestedFixes: fix(pass, c, slice.Elem(), to),
		})
	}
	return nil, nil
}

func fix(pass *analysis.Pass, c inspector.Cursor, elem types.Type, to string) []analysis.SuggestedFix {
	call := c.Node().(*ast.CallExpr)
	f := rewrite.Of(pass).File(c)
	lit, ok := ast.Unparen(call.Args[1]).(*ast.FuncLit)
	if f == nil || !ok {
		return nil
	}
	less, ok := read(pass.TypesInfo, call.Args[0], lit)
	if !ok {
		return nil
	}
	slices, edits, ok := f.Import("slices", call.Pos())
	if !ok {
		return nil
	}
	if less.plain() {
		comparison := analysis.TextEdit{Pos: call.Args[0].End(), End: call.Args[1].End()}
		edits = append(edits, rewrite.Replace(call.Fun, slices+"Sort"), comparison)
		return f.Fix("Use slices.Sort", edits...)
	}
	typ, ok := f.TypeText(elem, lit.Pos())
	if !ok {
		return nil
	}
	w := writer{file: f, less: less, typ: typ}
	if less.ordered() {
		var imports []analysis.TextEdit
		if w.cmp, imports, ok = f.Import("cmp", call.Pos()); !ok {
			return nil
		}
		edits = append(imports, edits...)
	}
	function, ok := w.function()
	if !ok {
		return nil
	}
	edits = append(edits, rewrite.Replace(call.Fun, slices+to), rewrite.Replace(call.Args[1], function))
	return f.Fix("Use slices."+to, edits...)
}
