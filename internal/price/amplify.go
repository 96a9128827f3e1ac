package price

import (
	_ "embed"
	"fmt"
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
}

// variable is the environment variable that chooses a site and how often to execute it
// again, as in "3:2".
const variable = "HEAPWRIGHT_AMPLIFY"

// addedFile is the file that each amplified package gets.
const addedFile = "heapwright_amplify.go"

//go:embed amplify.go.txt
var support string

// amplification is source in which sites can be executed again.
type amplification struct {
	patch string
	// why says for each site why it is not amplified, "" if it is.
	why []string
}

// amplify changes the source of the sites' packages in memory. Each package type-checks
// with its changes.
func amplify(x *source.Index, sites []Site) amplification {
	a := amplification{why: make([]string, len(sites))}
	done := map[string]bool{}
	for i, first := range sites {
		if dir := filepath.Dir(first.File); !done[dir] {
			done[dir] = true
			if text, err := a.packageOf(x, sites, dir, i); err == nil {
				a.patch += text
			} else {
				for j, s := range sites {
					if filepath.Dir(s.File) == dir && a.why[j] == "" {
						a.why[j] = err.Error()
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
		a.why[i] = "its file cannot be read"
		for _, fix := range p.Fixes([]*analysis.Analyzer{a.analyzer(i, s)}) {
			edits = edit.Insert(edits, fix.Edits[0])
		}
	}
	if len(edits) == 0 {
		return "", nil
	}
	names := strings.NewReplacer("PACKAGE", p.Name(), "SITES", fmt.Sprint(len(sites)), "VARIABLE", variable)
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
			found, why := find(file, pass.Fset, pass.TypesInfo, s.Line, s.Column)
			if a.why[index] = why; why != "" {
				return nil, nil
			}
			src, err := pass.ReadFile(s.File)
			if err != nil {
				return nil, err
			}
			from, to := pass.Fset.Position(found.expr.Pos()).Offset, pass.Fset.Position(found.expr.End()).Offset
			text := string(src[from:to])
			if found.fields != nil {
				text = string(src[from:pass.Fset.Position(found.fields.Lbrace).Offset]) + "{}"
			}
			keep := fmt.Sprintf("heapwrightKeep%s(%s)", found.keep, text)
			if found.second {
				keep = fmt.Sprintf("heapwrightResult, _ := %s; heapwrightKeep%s(heapwrightResult)", text, found.keep)
			}
			loop := fmt.Sprintf("for heapwrightI := heapwrightTimes[%d]; heapwrightI > 0; heapwrightI-- { %s }; ",
				index, keep)
			at := found.statement.Pos()
			pass.Report(analysis.Diagnostic{Pos: at, Message: name, SuggestedFixes: []analysis.SuggestedFix{{
				TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(loop)}},
			}}})
		}
		return nil, nil
	}
	return &analysis.Analyzer{Name: name, Doc: name, Requires: []*analysis.Analyzer{inspect.Analyzer}, Run: run}
}
