package finding

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/check/placement"
	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/inject"
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

// add gives a finding the fix that applies to its line and type-checks: the one of the
// check with its rule's name, also where it reports the line that makes the value, or,
// without one, of another check that reports the line itself.
func (p *patches) add(f *Finding) {
	e := p.evidence
	if f.Line == 0 || f.OfTest() || e.Source == nil || !e.Until.IsZero() && time.Now().After(e.Until) {
		return
	}
	file := e.Source.Local(f.Function, f.File)
	c := p.packageOf(file)
	why, offered := "", false
	if c.Package != nil && f.Root != nil && len(f.Made) > 0 {
		if why, offered = c.arena(e, f); offered {
			return
		}
	}
	var best *edit.Fix
	for i := range c.fixes {
		fix := &c.fixes[i]
		own := isOf(fix.Check, f.Rule)
		made := f.Change != nil && f.Change.File == f.File && fix.Lines[0].Has(file, f.Change.Line)
		switch {
		case !fix.Lines[0].Has(file, f.Line) && !(own && (made || fix.At(file, f.Line))):
		case best == nil, own && !isOf(best.Check, f.Rule):
			best = fix
		}
	}
	if best != nil {
		if patch, err := c.Patch(best.Edits); err == nil {
			f.Patch, f.Check = patch, best.Check
			f.Prose = f.Prose || isOf(best.Check, f.Rule)
			if why != "" && best.Lines[0].Has(file, f.Line) { // not an arena, but the check's change
				f.Remedy, f.Example, f.Prose = sentence(best.Message), "", true
			}
			return
		}
	}
	if why != "" {
		f.Remedy += " No change is offered: " + why + "."
	}
}

// sentence makes a sentence of a report.
func sentence(report string) string {
	first, size := utf8.DecodeRuneInString(report)
	return string(unicode.ToUpper(first)) + report[size:] + "."
}

// packageOf returns the package of a file, without a Package where nothing can be checked.
func (p *patches) packageOf(file string) *checkedPackage {
	c, known := p.packages[file]
	if !known {
		c = &checkedPackage{}
		if pkg, err := edit.Open(p.evidence.Source, file); err == nil {
			c = &checkedPackage{pkg, pkg.Fixes(p.checks)}
		}
		p.packages[file] = c
	}
	return c
}

// arena gives a finding the change that puts its objects into an arena. It reports false
// and returns the reason where there is none.
func (c *checkedPackage) arena(e *evidence.Evidence, f *Finding) (why string, offered bool) {
	root := placement.Place{File: e.Source.Local(f.Root.Function, f.Root.File), Line: f.Root.Line}
	why = "the function of the arena is in another package"
	change := placement.Analyzer(root, f.Made, func(refused string) { why = refused })
	if fixes := c.Fixes([]*analysis.Analyzer{change}); len(fixes) > 0 {
		patch, err := c.Patch(fixes[0].Edits)
		if err == nil {
			var required string
			if required, err = c.RequireArena(root.File); required != "" {
				f.Remedy += " The change needs go get " + inject.ArenaModule + "."
			}
			f.Patch, f.Check = patch+required, change.Name
		}
		if err == nil {
			return "", true
		}
		f.Patch, f.Check, why = "", "", "the package does not compile with it"
	}
	return why, false
}

// isOf reports whether a check finds the fault of a rule: the names of analyzers have
// no hyphens.
func isOf(check, rule string) bool { return check == strings.ReplaceAll(rule, "-", "") }
