package tool

import (
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// guard turns panics of an analyzer, and of those that it requires, into errors,
// so that a fault in one check costs its reports in one package and nothing else.
func guard(a *analysis.Analyzer, guarded map[*analysis.Analyzer]bool) {
	if guarded[a] {
		return
	}
	guarded[a] = true
	for _, needed := range a.Requires {
		guard(needed, guarded)
	}
	run := a.Run
	a.Run = func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				result, err = nil, fmt.Errorf("the check panicked on %v, please report it: %v", pass.Pkg, fault)
			}
		}()
		return run(pass)
	}
}

// skip drops the reports in generated files: a faster line there would not survive the
// generator. Without a profile it also drops those that need one.
func skip(a *analysis.Analyzer, profiled bool) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		report := pass.Report
		pass.Report = func(d analysis.Diagnostic) {
			if d.Category == rewrite.Sometimes && !profiled {
				return
			}
			for _, f := range pass.Files {
				if f.FileStart <= d.Pos && d.Pos < f.FileEnd && generated(pass, f, d) {
					return
				}
			}
			report(d)
		}
		return run(pass)
	}
}

// generated reports whether the place of a report is in a generated file. The output
// of cgo is generated, but its lines belong to the Go file.
func generated(pass *analysis.Pass, f *ast.File, d analysis.Diagnostic) bool {
	written := pass.Fset.Position(d.Pos).Filename
	ofCgo := written != pass.Fset.File(d.Pos).Name() && strings.HasSuffix(written, ".go")
	return ast.IsGenerated(f) && !ofCgo
}
