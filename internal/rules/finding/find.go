package finding

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
)

// Find applies rules and returns their findings, the highest ceiling first and one for each
// line. The notes name rules that could not be applied, or that had too little evidence to see
// everything.
func Find(rules []*Rule, e *evidence.Evidence) (found []Finding, notes []string) {
	causes, ofBenchmarks := assign(rules, e), benchmarked(e)
	patches := newPatches(e)
	less := map[string][]string{} // rules by what they find without the source
	for _, r := range rules {
		if e.Source == nil && r.WithoutSource != "" {
			less[r.WithoutSource] = append(less[r.WithoutSource], r.Name)
		}
		if e.Source == nil && r.NeedsSource {
			notes = append(notes, "rule "+r.Name+" was not asked: it needs the source; "+evidence.GiveSource)
			continue
		}
		search := r.Find
		if search == nil {
			search = r.perCause
		}
		for _, f := range search(e, causes[r]) {
			f.Rule = r.Name
			f.Start = ofBenchmarks && (beforeBenchmarks(f.Path) || f.isSetUp(e))
			f.addLibrary(rules, r, e)
			patches.add(&f)
			f.Title, f.Remedy, f.Risk = cmp.Or(f.Title, r.Title), cmp.Or(f.Remedy, r.Remedy), cmp.Or(f.Risk, r.Risk)
			if !f.Prose {
				f.Example = cmp.Or(f.Example, r.Example)
			}
			f.addLogger(e)
			f.addPerType(e)
			f.addLanguage(e)
			f.limit(e)
			if r.Live {
				f.age(e)
			}
			found = append(found, f)
		}
	}
	for _, seen := range slices.Sorted(maps.Keys(less)) {
		notes = append(notes, fmt.Sprintf("without the source %s found %s; %s", strings.Join(less[seen], ", "), seen,
			evidence.GiveSource))
	}
	rank(found)
	found, settings := orderSettings(group(found, e.Costs.Ceiling.High))
	notes = append(notes, settings...)
	if n := slices.IndexFunc(found, func(f Finding) bool { return f.OfTest() }); n >= 0 {
		notes = append(notes, fmt.Sprintf("all findings from %s:%d on are in test files or before or after a "+
			"benchmark's loop: these allocations are the benchmark's, not the program's, and rank last",
			filepath.Base(found[n].File), found[n].Line))
	}
	return found, notes
}

// perCause returns a finding with the rule's remedy for each of its causes.
func (r *Rule) perCause(e *evidence.Evidence, causes []Cause) []Finding {
	var all []Finding
	for i := range causes {
		c := &causes[i]
		if !c.Dies() && !r.Survivors {
			continue
		}
		f := Propose(e, c, r.Saves)
		work := r.Work
		if HasPrefix(c.Callee, r.Without) {
			work = 1
		}
		// A remedy for allocations cannot save more than allocating nothing at all.
		f.CPU.High = max(f.CPU.High, min(e.Costs.Ceiling.High, f.CPU.High+c.Work*work))
		if !f.Significant() {
			continue
		}
		if r.Words != nil {
			r.Words(e, c, &f)
		}
		all = append(all, f)
	}
	return all
}
