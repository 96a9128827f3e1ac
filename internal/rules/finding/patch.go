package finding

import (
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/evidence"
)

// patches finds the changes that vet -fix would make in the lines of findings. It checks each
// package once.
type patches struct {
	evidence *evidence.Evidence
	checks   []*analysis.Analyzer
	packages map[string]*checkedPackage // each under the name of every file of it that a finding is in
}

type checkedPackage struct {
	*edit.Package
	fixes []edit.Fix // every check's
}

func newPatches(e *evidence.Evidence) *patches {
	p := &patches{evidence: e, packages: map[string]*checkedPackage{}}
	for _, c := range check.Checks {
		if c.Kind != check.Correctness {
			p.checks = append(p.checks, c.Analyzer)
		}
	}
	return p
}

// add gives a finding a fix for its line that type-checks. A fix of the check with the name of
// the finding's rule comes first, then fixes of other checks.
func (p *patches) add(f *Finding) {
	e := p.evidence
	if f.Line == 0 || f.OfTest() || e.Source == nil || !e.Until.IsZero() && time.Now().After(e.Until) {
		return
	}
	file := e.Source.Local(f.Function, f.File)
	c, known := p.packages[file]
	if !known {
		c = &checkedPackage{}
		if pkg, err := edit.Open(e.Source, file); err == nil { // without the package nothing can be checked
			c = &checkedPackage{pkg, pkg.Fixes(p.checks)}
		}
		p.packages[file] = c
	}
	var best *edit.Fix
	for i := range c.fixes {
		fix := &c.fixes[i]
		if fix.File == file && fix.First <= f.Line && f.Line <= fix.Last && (best == nil || isOf(fix.Check, f.Rule)) {
			best = fix
		}
	}
	if best == nil {
		return
	}
	if patch, err := c.Patch(best.Edits); err == nil {
		f.Patch, f.Check = patch, best.Check
		f.Prose = f.Prose || isOf(best.Check, f.Rule)
	}
}

// isOf reports whether a check finds the fault of a rule: the names of analyzers have
// no hyphens.
func isOf(check, rule string) bool { return check == strings.ReplaceAll(rule, "-", "") }
