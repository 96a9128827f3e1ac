package edit_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/source"
)

const rows = `package x

func double(rows []int) []int {
	var out []int
	for _, r := range rows {
		out = append(out, 2*r)
	}
	return out
}
`

// open studies a module of one package.
func open(t *testing.T, files map[string]string) (p *edit.Package, file string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module ex.com/x\n\ngo 1.22\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "x.go")
	if err := x.Study(t.Context(), []source.Place{{Function: "ex.com/x.double", File: file, Line: 6}}); err != nil {
		t.Fatal(err)
	}
	if p, err = edit.Open(x, file); err != nil {
		t.Fatal(err)
	}
	return p, file
}

// reporter is a check that reports each append and proposes the edits that fix returns.
func reporter(name string, fix func(*ast.CallExpr) []analysis.TextEdit) *analysis.Analyzer {
	return &analysis.Analyzer{Name: name, Doc: name, Run: func(pass *analysis.Pass) (any, error) {
		ast.Inspect(pass.Files[0], func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: name, SuggestedFixes: []analysis.SuggestedFix{{TextEdits: fix(call)}}})
			}
			return true
		})
		return nil, nil
	}}
}

func replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

func TestFixes(t *testing.T) {
	p, file := open(t, map[string]string{"x.go": rows})
	fixes := p.Fixes([]*analysis.Analyzer{
		reporter("panics", func(*ast.CallExpr) []analysis.TextEdit { panic("at the disco") }),
		reporter("doubles", func(c *ast.CallExpr) []analysis.TextEdit { return []analysis.TextEdit{replace(c.Args[1], "r+r")} }),
	})
	if len(fixes) != 1 || fixes[0].Check != "doubles" || !fixes[0].At(file, 6) || fixes[0].At(file, 7) {
		t.Fatalf("fixes %+v", fixes)
	}
	patch, err := p.Patch(fixes[0].Edits)
	if want := "--- a/x.go\n+++ b/x.go\n"; err != nil || !strings.HasPrefix(patch, want) || !strings.Contains(patch, "+\t\tout = append(out, r+r)") {
		t.Errorf("%v\n%s", err, patch)
	}
}

func TestPatchThatIsNoGo(t *testing.T) {
	p, _ := open(t, map[string]string{"x.go": rows})
	for name, fix := range map[string]func(*ast.CallExpr) []analysis.TextEdit{
		"types":  func(c *ast.CallExpr) []analysis.TextEdit { return []analysis.TextEdit{replace(c.Args[1], `"r"`)} },
		"syntax": func(c *ast.CallExpr) []analysis.TextEdit { return []analysis.TextEdit{replace(c.Args[1], "(")} },
		"language": func(c *ast.CallExpr) []analysis.TextEdit {
			return []analysis.TextEdit{replace(c, "append(out, new(1))")}
		},
		"overlap": func(c *ast.CallExpr) []analysis.TextEdit {
			return []analysis.TextEdit{replace(c, "out"), replace(c.Args[1], "r")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range p.Fixes([]*analysis.Analyzer{reporter(name, fix)}) {
				if patch, err := p.Patch(f.Edits); err == nil {
					t.Errorf("no error:\n%s", patch)
				}
			}
		})
	}
}

// A check asks for the files that the build leaves out, to keep their names free.
func TestIgnoredFiles(t *testing.T) {
	p, _ := open(t, map[string]string{"x.go": rows, "x_plan9.go": "package x\n\nvar slices = 1\n"})
	var seen []string
	p.Fixes([]*analysis.Analyzer{{Name: "ignored", Doc: "ignored", Run: func(pass *analysis.Pass) (any, error) {
		seen = pass.IgnoredFiles
		return nil, nil
	}}})
	if len(seen) != 1 || filepath.Base(seen[0]) != "x_plan9.go" {
		t.Errorf("ignored files %q", seen)
	}
}
