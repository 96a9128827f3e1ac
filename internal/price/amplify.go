package price

import (
	_ "embed"
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/source"
)

// Site is a line of the program's source, and the column of an allocation in it.
type Site struct {
	File   string // absolute
	Line   int
	Column int // the compiler's, 0 if it is not known
	// Size is the mean size of the line's objects in bytes, and Share their share of all
	// bytes that the target allocates. Without them, only the expression has a price.
	Size, Share float64
	// Boxes and Grows name the allocation where the column is not known: a value that becomes
	// an interface, or an append that makes its slice grow.
	Boxes, Grows bool
	// Whole is set if the line has several allocations with findings. Then its outermost
	// expression is executed, if there is only one.
	Whole bool
	// Patch is a unified diff that mends the line, "" without one.
	Patch string
}

// variable is the environment variable that chooses a loop and how often it runs, as in
// "3:1.5".
const variable = "HEAPWRIGHT_AMPLIFY"

// addedFile is the file that each amplified package gets.
const addedFile = "heapwright_amplify.go"

//go:embed amplify.go.txt
var support string

// amplification is source in which sites can be executed again. Site i has the loops 2i for
// its expression and 2i+1 for its memory.
type amplification struct {
	patch string
	sites []extra
}

// extra says which loops a site has.
type extra struct {
	// why says why the expression is not executed again, "" if it is.
	why string
	// memory is set if there is a loop that allocates as much as the line.
	memory bool
	// later are the lines where the runtime works on the line's object.
	later []int
}

// amplify changes the source of the sites' packages in memory. Each package type-checks
// with its changes.
func amplify(x *source.Index, sites []Site) amplification {
	a := amplification{sites: make([]extra, len(sites))}
	done := map[string]bool{}
	for i, first := range sites {
		if dir := filepath.Dir(first.File); !done[dir] {
			done[dir] = true
			if text, err := a.packageOf(x, sites, dir, i); err == nil {
				a.patch += text
			} else {
				for j, s := range sites {
					if filepath.Dir(s.File) == dir {
						a.sites[j] = extra{why: err.Error()}
					}
				}
			}
		}
	}
	return a
}

// packageOf returns the changes of one package as a diff.
func (a *amplification) packageOf(x *source.Index, sites []Site, dir string, first int) (string, error) {
	p, err := edit.Open(x, sites[first].File)
	if err != nil {
		return "", err
	}
	var edits []edit.Edit
	for i, s := range sites {
		if filepath.Dir(s.File) != dir {
			continue
		}
		a.sites[i].why = "its file cannot be read"
		for _, fix := range p.Fixes([]*analysis.Analyzer{a.analyzer(i, s)}) {
			for _, e := range fix.Edits {
				edits = edit.Insert(edits, e)
			}
		}
	}
	if len(edits) == 0 {
		return "", nil
	}
	names := strings.NewReplacer("PACKAGE", p.Name(), "LOOPS", fmt.Sprint(2*len(sites)), "VARIABLE", variable)
	return p.PatchWith(edits, filepath.Join(dir, addedFile), names.Replace(support))
}

// analyzer amplifies one site, or says why it does not.
func (a *amplification) analyzer(index int, s Site) *analysis.Analyzer {
	name := fmt.Sprintf("site%d", index)
	run := func(pass *analysis.Pass) (any, error) {
		for file := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Children() {
			if pass.Fset.Position(file.Node().Pos()).Filename != s.File {
				continue
			}
			src, err := pass.ReadFile(s.File)
			if err != nil {
				return nil, err
			}
			for _, edit := range a.sites[index].edits(finder{pass.Fset, pass.TypesInfo, src}, file, index, s) {
				pass.Report(analysis.Diagnostic{Pos: edit.Pos, Message: name,
					SuggestedFixes: []analysis.SuggestedFix{{TextEdits: []analysis.TextEdit{edit}}}})
			}
		}
		return nil, nil
	}
	return &analysis.Analyzer{Name: name, Doc: name, Requires: []*analysis.Analyzer{inspect.Analyzer}, Run: run}
}

// edits returns the loops of a site.
func (a *extra) edits(f finder, file inspector.Cursor, index int, s Site) (edits []analysis.TextEdit) {
	a.later = f.later(file, s.Line)
	found, why := f.find(file, s)
	if a.why = why; why == "" {
		edits = append(edits, found.at.loop(2*index, found.text))
	}
	pointers := why == "" && found.pointers || why != "" && f.mayPoint(file, s.Line)
	near := least <= s.Size && s.Size < apart
	if found.memory && !near || s.Size <= 0 || s.Share <= 0 {
		return edits
	}
	at, ok := f.statement(file, s.Line)
	if !ok {
		return edits
	}
	a.memory = true
	of := "Bytes"
	if pointers != near {
		of = "Words"
	}
	return append(edits, at.loop(2*index+1, fmt.Sprintf("heapwrightKeep%s(%d)", of, max(1, int(s.Size+0.5)))))
}

// Small objects of one size lie side by side, if all or none of them have pointers. Between
// such objects that live, the extra ones make the program's own reads miss the cache more often,
// which removing objects does not undo to the same degree. So those that stand for the memory
// alone are of the other kind, from 16 bytes on: below, the runtime puts several into one object.
const (
	least = 16 // bytes
	apart = 128
)

// loop returns the edit that adds a loop.
func (at place) loop(number int, body string) analysis.TextEdit {
	text := fmt.Sprintf("for heapwrightI := heapwrightMore(%d); heapwrightI > 0; heapwrightI-- { %s }; ", number, body)
	if at.behind {
		text = "; " + strings.TrimSuffix(text, "; ")
	}
	return analysis.TextEdit{Pos: at.pos, End: at.pos, NewText: []byte(text)}
}

// statement returns the place before the innermost statement of a line.
func (f finder) statement(file inspector.Cursor, line int) (at place, ok bool) {
	for c := range file.Preorder() {
		statement, is := c.Node().(ast.Stmt)
		if !is || f.fset.Position(statement.Pos()).Line > line || f.fset.Position(statement.End()).Line < line {
			continue
		}
		switch p := c.Parent().Node().(type) {
		case *ast.BlockStmt, *ast.CaseClause:
			if _, clause := statement.(*ast.CaseClause); clause {
				continue
			}
			if _, clause := statement.(*ast.CommClause); clause {
				continue
			}
			at, ok = place{pos: statement.Pos()}, true
		case *ast.CommClause:
			if statement != p.Comm {
				at, ok = place{pos: statement.Pos()}, true
			}
		}
	}
	return at, ok
}

// mayPoint reports whether a line makes values that may hold pointers, other than texts, or adds
// to a map that does.
func (f finder) mayPoint(file inspector.Cursor, line int) bool {
	made := []ast.Node{(*ast.CallExpr)(nil), (*ast.CompositeLit)(nil), (*ast.FuncLit)(nil), (*ast.IndexExpr)(nil)}
	for c := range file.Preorder(made...) {
		e := c.Node().(ast.Expr)
		if f.fset.Position(e.Pos()).Line != line || !f.info.Types[e].IsValue() {
			continue
		}
		if index, ok := e.(*ast.IndexExpr); ok {
			e = index.X
		}
		if f.pointers(e) {
			return true
		}
	}
	return false
}
