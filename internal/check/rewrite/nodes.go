package rewrite

import (
	"go/ast"
	"iter"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Files returns the cursor above all files of a pass.
func Files(pass *analysis.Pass) inspector.Cursor {
	return pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
}

// Nodes returns the nodes of one type with their cursors, in the order of the source.
func Nodes[N ast.Node](pass *analysis.Pass) iter.Seq2[inspector.Cursor, N] {
	var none N
	return func(yield func(inspector.Cursor, N) bool) {
		for c := range Files(pass).Preorder(none) {
			if !yield(c, c.Node().(N)) {
				return
			}
		}
	}
}

// InList reports whether c is a statement that others can stand before and behind.
func InList(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}

// WithLabel returns the labeled statement around the statement at c, or c if it has no
// label. Text before a loop belongs before its label.
func WithLabel(c inspector.Cursor) inspector.Cursor {
	if _, labeled := c.Parent().Node().(*ast.LabeledStmt); labeled {
		return c.Parent()
	}
	return c
}
