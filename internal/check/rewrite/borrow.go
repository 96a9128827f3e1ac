package rewrite

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
)

// Requires returns the analyzers that a check has to require in order to Borrow others.
func Requires(borrowed ...*analysis.Analyzer) []*analysis.Analyzer {
	all := []*analysis.Analyzer{inspect.Analyzer, Analyzer}
	for _, b := range borrowed {
		all = append(all, b.Requires...)
	}
	return all
}

// Borrow returns the reports of another analyzer, without fixes in files that none may
// edit.
func Borrow(pass *analysis.Pass, other *analysis.Analyzer) ([]analysis.Diagnostic, error) {
	var all []analysis.Diagnostic
	borrowed := *pass
	borrowed.Analyzer = other
	borrowed.Report = func(d analysis.Diagnostic) {
		for tree, file := range Of(pass).files {
			if tree.FileStart <= d.Pos && d.Pos < tree.FileEnd && file() == nil {
				d.SuggestedFixes = nil
			}
		}
		all = append(all, d)
	}
	_, err := other.Run(&borrowed)
	return all, err
}
