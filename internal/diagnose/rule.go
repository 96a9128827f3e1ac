package diagnose

import (
	"cmp"
	"slices"
)

// Rule finds one kind of fault. Each is a file of its own, rule_NAME.go, that
// registers it in an init function.
type Rule struct {
	Name    string // in JSON: "string-conversion"
	Title   string // for people, a few words; a finding's title unless it has its own
	Doc     string // what it looks for, on what evidence, and when it is wrong
	Remedy  string // these three are a finding's unless it has its own
	Example string
	Risk    string
	// NeedsSource says that nothing is found without Evidence.Source; the rule
	// is then not asked and named in the result's notes.
	NeedsSource bool
	// WithoutSource is all that is seen without Evidence.Source, where that is
	// less than with it; the result's notes then say so.
	WithoutSource string
	// Find returns findings in any order. It may leave Rule and what the rule
	// says for all of its findings empty.
	Find func(*Evidence) []Finding
}

// sampledCalls is what rules see without source that know an expression also by
// the runtime's function for it: heap profiles leave these functions out.
const sampledCalls = "of what a line allocates itself only what CPU samples show in the runtime's functions"

var registered []Rule

// register adds a rule; it is called by init functions only.
func register(r Rule) { registered = append(registered, r) }

// Rules returns all rules by name.
func Rules() []Rule {
	return slices.SortedFunc(slices.Values(registered), func(a, b Rule) int { return cmp.Compare(a.Name, b.Name) })
}

// rank orders findings: the highest ceiling first, then by place and rule, so
// that equal evidence gives equal output.
func rank(all []Finding) {
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Ceiling(), a.Ceiling()),
			cmp.Compare(b.share, a.share),
			cmp.Compare(b.CPU.Middle()+b.Memory.Middle(), a.CPU.Middle()+a.Memory.Middle()),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
}
