package finding

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/source"
)

// Rule finds one kind of fault.
type Rule struct {
	Name  string // in JSON: "string-conversion"
	Title string // for people, a few words; a finding's title unless it has its own
	// Doc gives the fault that the rule finds, its evidence, and when it is wrong.
	Doc string
	// Remedy, Example and Risk are a finding's unless it has its own.
	Remedy  string
	Example string
	Risk    string

	// NeedsSource says that nothing is found without source. The rule is then not
	// asked, and a note says so.
	NeedsSource bool
	// WithoutSource describes the part of the fault that the rule still sees
	// without source, if that is less than with it. A note then says so.
	WithoutSource string

	// ClaimsSite reports whether all allocations of a site are the rule's, before
	// others are asked. It may be nil.
	ClaimsSite func(*evidence.Site) bool
	// Callees are the functions whose allocations the rule claims, by the beginning
	// of their names. Of several prefixes the longest counts.
	Callees []string
	// OtherCallees claims functions of libraries that no rule names.
	OtherCallees bool
	// Declines reports that the rule has nothing to say of a function that its
	// prefixes claim; the next best rule is asked. It may be nil.
	Declines func(callee string) bool
	// Yields are callees whose allocations go to the rule that claims a function
	// further in, where one does.
	Yields []Yield
	// Claims says how strongly the rule claims an expression of a site's line; nil
	// is Unclaimed. Of equal claims the first rule of Rules wins.
	Claims func(*evidence.Evidence, *evidence.Site, evidence.Expression) Claim

	// Live says that findings rest on the size of the live heap. Where the heap profiles
	// are older than the window, they say so.
	Live bool
	// Setting says that the remedy is a setting of the runtime, which a mode can try.
	Setting bool
	// Survivors accepts causes whose memory survives. Without it, memory that stays
	// is not garbage: using it again cannot help.
	Survivors bool
	// Saves is the share of a cause that the remedy removes.
	Saves evidence.Range
	// Work is the share of the work around the allocations that goes with them, as
	// the formatting goes with a text that is not made. Profiles do not tell how
	// much of it the remedy has to do in another way, so it only widens the range.
	Work float64
	// Without are functions that the remedy does without, by the beginning of their
	// names: all of their work may go.
	Without []string
	// Words fits the text of a cause's finding to the cause. It may be nil.
	Words func(*evidence.Evidence, *Cause, *Finding)
	// Find replaces a finding for each cause by a search of the rule's own. It may
	// leave the finding's rule and the rule's texts empty, and order findings as it
	// likes.
	Find func(*evidence.Evidence, []Cause) []Finding
}

func (r *Rule) declines(callee string) bool { return r.Declines != nil && r.Declines(callee) }

// Yield is a callee, by the beginning of its name, and the rules that it yields
// to; nil is all rules.
type Yield struct {
	Callee string
	To     []*Rule
}

// Claim is how strongly a rule claims an expression.
type Claim int

// Claims, from the weakest.
const (
	Unclaimed   Claim = iota
	AnyObject         // any object that no other rule claims
	ByKind            // the expression's kind and type
	BySituation       // the kind, and the evidence or the source around it
)

// OfKinds claims expressions by their kind alone.
func OfKinds(kinds ...source.Kind) func(*evidence.Evidence, *evidence.Site, evidence.Expression) Claim {
	return func(_ *evidence.Evidence, _ *evidence.Site, x evidence.Expression) Claim {
		return ClaimIf(slices.Contains(kinds, x.Kind))
	}
}

// ClaimIf claims an expression by its kind, on a condition.
func ClaimIf(its bool) Claim {
	if its {
		return ByKind
	}
	return Unclaimed
}

// SampledCalls is the view without source of rules that know an expression by the
// runtime's function for it. Heap profiles leave these functions out.
const SampledCalls = "of a line's own allocations only those that CPU samples show in the runtime's functions"

func HasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
