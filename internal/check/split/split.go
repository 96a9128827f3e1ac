// Package split finds slices of parts that the code around them does not need.
package split

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/modernize"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report slices of Split and Fields that only a loop ranges over, or that have a few parts

strings.Split counts the parts and allocates a slice for them. Where a loop reads each
part once, an iterator needs none:

	for _, word := range strings.Fields(line) {
		count[word]++
	}

becomes

	for word := range strings.FieldsSeq(line) {
		count[word]++
	}

The fix, which is modernize's, needs Go 1.24, and that nothing else reads the slice or
the index. Parts of bytes are left out, since the loop may change them. The parts still
refer to the whole text.

Two parts need no slice either:

	parts := strings.SplitN(line, "=", 2)   →  before, after, found := strings.Cut(line, "=")
	if len(parts) != 2 {                       if !found {
		return errors.New("no value")              return errors.New("no value")
	}                                          }
	set(parts[0], parts[1])                    set(before, after)

Where Split makes a slice of all parts, and the function asks whether there are exactly two,
three or four, that many cuts do the same, and the last part must not contain the separator.

The preconditions of this fix: the separator is a constant; the function only reads the
parts and compares their number; and it reads all but the first only where it knows that
they are there, since it would panic elsewhere.`

// Analyzer finds slices of parts that an iterator replaces.
var Analyzer = &analysis.Analyzer{
	Name:     "split",
	Doc:      doc,
	Requires: rewrite.Requires(modernize.StringsSeqAnalyzer),
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	root := rewrite.Files(pass)
	var names rewrite.Names
	for c := range root.Preorder((*ast.AssignStmt)(nil)) {
		if !strings.HasSuffix(pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") {
			reportCut(pass, c, &names)
		}
	}
	ranged, err := rewrite.Borrow(pass, modernize.StringsSeqAnalyzer)
	if len(ranged) == 0 {
		return nil, err
	}
	for _, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		i := slices.IndexFunc(ranged, func(d analysis.Diagnostic) bool {
			return d.Pos == call.Fun.Pos()
		})
		if i < 0 || !strings.HasPrefix(rewrite.Callee(pass.TypesInfo, call), "strings.") ||
			strings.HasSuffix(pass.Fset.Position(call.Pos()).Filename, "_test.go") {
			continue
		}
		d := ranged[i]
		d.Message = "the slice of parts lives for one loop: range over an iterator"
		pass.Report(d)
	}
	return nil, nil
}
