package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/internal/rules"
)

// first is how many findings a user reads.
const first = 3

// judgement is one diagnosis compared with the truth.
type judgement struct {
	module  *truth.Module
	outcome *outcome
	first   []answer // answers of the first findings
	hazards []hazard

	patches []trial // code that findings show for a line
	advised []trial // arenas and pools
}

type answer struct {
	where string // file, line and rule
	right bool
	why   string // not right
}

// hazard is advice that breaks a program whose objects outlive the call.
type hazard struct {
	finding *rules.Finding
	where   string
	verdict string // safe, unsafe, to be judged
	why     string
}

const (
	safe     = "safe"
	unsafe   = "unsafe"
	unjudged = "to be judged"
)

func judge(m *truth.Module, o *outcome) *judgement {
	j := &judgement{module: m, outcome: o}
	if o.Document == nil {
		return j
	}
	all := o.Document.Findings
	for i := range all[:min(first, len(all))] {
		a := judgePlace(m, &all[i])
		if h, is := adviceOf(m, &all[i]); is && h.verdict != safe {
			a.right, a.why = false, "its advice is "+h.verdict
		}
		j.first = append(j.first, a)
	}
	for _, f := range withOthers(all) {
		if h, is := adviceOf(m, f); is {
			j.hazards = append(j.hazards, h)
		}
	}
	return j
}

// judgePlace says whether a finding names a place of the truth by a rule that may.
func judgePlace(m *truth.Module, f *rules.Finding) answer {
	a := answer{where: where(f), why: "to be judged: the truth does not name this place"}
	for _, p := range m.Expect {
		switch {
		case !names(p, f):
		case p.Allows(f.Rule):
			return answer{where: a.where, right: true}
		default:
			a.why = fmt.Sprintf("the place is right, the advice is not: %s", p.Why)
		}
	}
	for _, p := range m.Wrong {
		if names(p, f) && p.Allows(f.Rule) {
			a.why = p.Why
		}
	}
	return a
}

// names reports whether a finding is about a place: by the line that allocates, the
// line to change, or a line of a library that it names.
func names(p truth.Place, f *rules.Finding) bool {
	return p.Holds(f.File, f.Line) || f.Change != nil && p.Holds(f.Change.File, f.Change.Line) ||
		slices.ContainsFunc(f.Library, func(l rules.LibraryLine) bool { return p.Holds(l.File, l.Line) })
}

// risky is advice that is right or wrong by how long the objects live: an arena,
// a pool, package unsafe, and the same memory used again.
var risky = regexp.MustCompile(`\barena\b|\b[Pp]ool\b|\bunsafe\.|keep it and (clear|start)`)

// refused begins a remedy that advises against an arena or a pool, or leaves open whether
// one is possible.
var refused = regexp.MustCompile(`^(No (arena|pool)|Neither a pool|Find out|It is not known whether)`)

// adviceOf judges the advice of a finding; is says whether it is of that kind.
func adviceOf(m *truth.Module, f *rules.Finding) (h hazard, is bool) {
	says := risky.MatchString(f.Remedy) && !refused.MatchString(f.Remedy)
	if !says && !risky.MatchString(f.Example) {
		return h, false
	}
	h = hazard{finding: f, where: where(f), verdict: unjudged}
	if p := find(m.Unsafe, f); p != nil {
		h.verdict, h.why = unsafe, p.Why
	} else if p := find(m.Safe, f); p != nil {
		h.verdict, h.why = safe, p.Why
	}
	return h, true
}

func find(places []truth.Place, f *rules.Finding) *truth.Place {
	i := slices.IndexFunc(places, func(p truth.Place) bool { return names(p, f) && p.Allows(f.Rule) })
	if i < 0 {
		return nil
	}
	return &places[i]
}

func where(f *rules.Finding) string {
	if f.File == "" {
		return f.Rule
	}
	return fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Rule)
}

func (j *judgement) right() (n int) {
	for _, a := range j.first {
		if a.right {
			n++
		}
	}
	return n
}

func (j *judgement) count(verdict string) (n int) {
	for _, h := range j.hazards {
		if h.verdict == verdict {
			n++
		}
	}
	return n
}

// sortHazards puts unsafe advice first.
func sortHazards(all []hazard) {
	order := []string{unsafe, unjudged, safe}
	slices.SortStableFunc(all, func(a, b hazard) int {
		return cmp.Compare(slices.Index(order, a.verdict), slices.Index(order, b.verdict))
	})
}
