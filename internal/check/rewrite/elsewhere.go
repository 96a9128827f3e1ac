package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/input"
)

// MentionedElsewhere reports whether a file of the package's folder that the pass does not
// have mentions name: a test, or a file of another build. A fix that changes a signature would
// break it. A file that cannot be read may mention anything.
func MentionedElsewhere(pass *analysis.Pass, name string) bool {
	known := map[string]bool{}
	for _, file := range pass.Files {
		known[pass.Fset.File(file.FileStart).Name()] = true
	}
	dir := ""
	for file := range known {
		dir = filepath.Dir(file)
	}
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is valid, unless the folder's name is odd
	tests = slices.DeleteFunc(tests, func(file string) bool { return known[file] })
	return mentioned(tests, name) || MentionedInOtherBuilds(pass, name)
}

// MentionedInOtherBuilds reports whether a file of the package that the build leaves out
// mentions name. A file that cannot be read may mention anything.
func MentionedInOtherBuilds(pass *analysis.Pass, name string) bool {
	return mentioned(pass.IgnoredFiles, name)
}

func mentioned(files []string, name string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		if filepath.Ext(file) != ".go" {
			return false
		}
		text, err := input.ReadRegular(file, maxExcluded)
		return err != nil || hasIdentifier(text, name)
	})
}

// hasIdentifier reports whether the text of a file has an identifier.
func hasIdentifier(text []byte, name string) (found bool) {
	tree, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if tree == nil {
		return false
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
