package diagnose

import (
	"cmp"
	"slices"
)

// Judge asks all rules and returns their findings, the highest ceiling first,
// and the rules that could not be asked.
func (e *Evidence) Judge() (findings []Finding, silent []Silence) {
	for _, r := range Rules() {
		if r.NeedsSource && e.Source == nil {
			silent = append(silent, Silence{r.Name, "it needs the source; run in the program's module, or name its folder with -C"})
			continue
		}
		for _, f := range r.Find(e) {
			f.Rule = r.Name
			f.Title = cmp.Or(f.Title, r.Title)
			f.Remedy, f.Example, f.Risk = cmp.Or(f.Remedy, r.Remedy), cmp.Or(f.Example, r.Example), cmp.Or(f.Risk, r.Risk)
			f.Confidence = cmp.Or(f.Confidence, Medium)
			f.Path = slices.Clip(f.Path)
			findings = append(findings, f)
		}
	}
	rank(findings)
	return findings, silent
}
