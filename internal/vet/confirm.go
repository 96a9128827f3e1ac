package vet

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// confirm drops reports of escape checks on expressions that do not escape to the
// heap according to the compiler, and reports that need a profile on lines that cost too
// little. It compiles the packages of the other reports; the go command keeps the
// compiler's messages in its cache and prints them again.
func (d *Document) confirm(ctx context.Context, patterns []string) error {
	d.Reports = slices.DeleteFunc(d.Reports, func(r Report) bool {
		return r.category == rewrite.Sometimes && len(r.Costs) == 0
	})
	var packages []string
	for _, r := range d.Reports {
		if pkg := plainPackage(r.Package); r.Kind == check.Escape && !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	if len(packages) == 0 {
		return nil
	}
	if slices.Contains(packages, "command-line-arguments") {
		packages = patterns // files
	}
	escapes, failed, err := compile(ctx, d.Dir, packages)
	if err != nil {
		return fmt.Errorf("asking the compiler which values escape: %w", err)
	}
	for pkg, reason := range failed {
		d.Failures = append(d.Failures, Failure{Package: pkg, Check: string(check.Escape) + " checks", Reason: reason})
	}
	d.Reports = slices.DeleteFunc(d.Reports, func(r Report) bool {
		at := escapePlace{pkg: plainPackage(r.Package), file: path.Base(r.File), line: r.Line, column: r.Column}
		return r.Kind == check.Escape && !escapes[at]
	})
	return nil
}

// plainPackage returns the path of a package without the test that it is compiled for.
func plainPackage(pkg string) string {
	pkg, _, _ = strings.Cut(pkg, " ")
	return pkg
}
