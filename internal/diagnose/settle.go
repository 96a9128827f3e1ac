package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// settle puts findings in order, one for each line: the best of a line stays,
// and the others of the line stand below it.
func settle(all []Finding) []Finding {
	rank(all)
	var best []Finding
	for _, f := range all {
		i := -1
		if f.File != "" {
			i = slices.IndexFunc(best, func(b Finding) bool { return b.File == f.File && b.Line == f.Line })
		}
		if i < 0 {
			best = append(best, f)
			continue
		}
		best[i].Others = append(best[i].Others, f)
	}
	return best
}

const giveSource = "run in the program's module or name its folder with -C"

// Find asks all rules and returns their findings, the highest ceiling first and
// one for each line. Notes says which rules could not be asked, or saw less.
func (e *Evidence) Find() (found []Finding, notes []string) {
	less := map[string][]string{} // rules by what they see without the source
	for _, r := range Rules() {
		if e.Source == nil && r.WithoutSource != "" {
			less[r.WithoutSource] = append(less[r.WithoutSource], r.Name)
		}
		if r.NeedsSource && e.Source == nil {
			notes = append(notes, "rule "+r.Name+" was not asked: it needs the source; "+giveSource)
			continue
		}
		for _, f := range r.Find(e) {
			f.Rule = r.Name
			if f.Title == "" {
				f.Title = r.Title
			}
			if f.Remedy == "" {
				f.Remedy = r.Remedy
			}
			if f.Example == "" {
				f.Example = r.Example
			}
			if f.Risk == "" {
				f.Risk = r.Risk
			}
			found = append(found, f)
		}
	}
	for _, seen := range slices.Sorted(maps.Keys(less)) {
		notes = append(notes, fmt.Sprintf("without the source %s found %s; %s", strings.Join(less[seen], ", "), seen, giveSource))
	}
	return settle(found), notes
}
