package rules

import (
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heapwright/heapwright/internal/check"
)

// unfixed are the programs of the corpus whose fault a person has to mend, although a check
// mends others of the same rule: the change needs another signature, another lifetime, or
// knowledge of the callers.
var unfixed = []string{
	"boxing-event", "closure-go", "conversion-count", "decoder-json",
	"encoder-gob", "format-log",
}

// TestCorpusFixes runs the static checks, without profiles, on the planted faults: a fix
// must be at hand at the planted line, or at another line of the same value, and clean
// programs must get none.
func TestCorpusFixes(t *testing.T) {
	var analyzers []*analysis.Analyzer
	for _, c := range check.Checks {
		if c.Kind != check.Correctness && !asksDependencies(c.Analyzer) {
			analyzers = append(analyzers, c.Analyzer)
		}
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, "./testdata/corpus/...")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze(analyzers, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	fixed := map[string][]int{} // the lines for which a program has a fix
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Fatal(action.Err)
		}
		for _, d := range action.Diagnostics {
			if len(d.SuggestedFixes) == 0 {
				continue
			}
			at := action.Package.Fset.Position(d.Pos)
			name := filepath.Base(filepath.Dir(at.Filename))
			fixed[name] = append(fixed[name], at.Line)
			for _, use := range d.Related {
				fixed[name] = append(fixed[name], action.Package.Fset.Position(use.Pos).Line)
			}
		}
	}
	faults, found := 0, 0
	for _, p := range corpus(t) {
		has := slices.ContainsFunc(p.wants, func(w want) bool { return slices.Contains(fixed[p.name], w.line) })
		mends := p.mends()
		switch {
		case len(p.wants) == 0 && len(fixed[p.name]) > 0:
			t.Errorf("%s is clean, but has a fix at %v", p.name, fixed[p.name])
		case mends && has == slices.Contains(unfixed, p.name):
			t.Errorf("%s: a fix is there: %v", p.name, has)
		}
		if mends {
			faults++
		}
		if mends && has {
			found++
		}
	}
	t.Logf("%d of %d faults have a fix", found, faults)
}

// asksDependencies reports whether an analyzer needs the source of all dependencies. Among
// these only retention has fixes, for a rule that mended leaves out.
func asksDependencies(a *analysis.Analyzer) bool {
	return len(a.FactTypes) > 0 || slices.ContainsFunc(a.Requires, asksDependencies)
}

// mended are the rules for whose faults checks have fixes.
var mended = []string{
	"append-without-room", "boxing", "closure", "encoder", "formatting", "map-without-size", "request-buffer",
	"string-concatenation", "string-conversion",
}
