package finding

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/source"
)

// A Rule finds one kind of fault.
type Rule struct {
	Name  string // the name in JSON, such as "string-conversion"
	Title string // a few words for people; the title of findings without their own
	// Doc gives the fault that the rule finds, its evidence, and when it is wrong.
	Doc string
	// Remedy, Example and Risk are the texts of findings that do not set their own.
	Remedy  string
	Example string
	Risk    string

	// NeedsSource is set if the rule finds nothing without source. Without source it is not
	// applied, and a note says so.
	NeedsSource bool
	// WithoutSource describes what the rule finds without source, if that is less. A note then
	// says so.
	WithoutSource string

	// ClaimsSite reports whether all allocations of a site are the rule's, before
	// others are asked. It may be nil.
	ClaimsSite func(*evidence.Site) bool
	// Callees are the functions whose allocations the rule claims, by the beginning
	// of their names. Of several prefixes the longest counts.
	Callees []string
	// OtherCallees claims functions of libraries that no rule names.
	OtherCallees bool
	// Declines reports that the rule does not want a function that its prefixes claim. The rule
	// with the next best claim gets it. Declines may be nil.
	Declines func(callee string) bool
	// Yields are callees whose allocations go to another rule, if that claims a function
	// further in.
	Yields []Yield
	// Claims returns how strongly the rule claims an expression of a site's line. A nil
	// function claims nothing. Between equal claims, the first rule of Rules wins.
	Claims func(*evidence.Evidence, *evidence.Site, evidence.Expression) Claim

	// Live is set if findings rest on the size of the live heap. They say so if the heap
	// profiles are older than the window.
	Live bool
	// Setting is set if the remedy is a setting of the runtime, which a mode can try.
	Setting bool
	// Survivors is set if the remedy also helps for memory that survives. Most remedies reuse
	// memory, and that is possible only for garbage.
	Survivors bool
	// Saves is the share of a cause's allocations that the remedy removes.
	Saves evidence.Range
	// Work is the share of the work around the allocations that disappears with them, such as
	// the formatting of a text that is not made. Profiles do not show how much of that work the
	// remedy has to do in another way, so Work only widens the range.
	Work float64
	// Without are functions that the remedy does not call, by the beginning of their names. All
	// of their work may disappear.
	Without []string
	// Words adapts the text of a finding to its cause. It may be nil.
	Words func(*evidence.Evidence, *Cause, *Finding)
	// Find, if it is set, searches for findings. The rule then has none for its causes. Find
	// may leave the name and the texts of the rule empty, and return findings in any order.
	Find func(*evidence.Evidence, []Cause) []Finding
}

func (r *Rule) declines(callee string) bool { return r.Declines != nil && r.Declines(callee) }

// Yield is a callee, by the beginning of its name, and the rules that it yields
// to; nil is all rules.
type Yield struct {
	Callee string
	To     []*Rule
}

// Claim is the strength of a rule's claim on an expression.
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

// SampledCalls is the text of WithoutSource for rules that recognize an expression by the
// runtime's function for it. Heap profiles omit these functions.
const SampledCalls = "of a line's own allocations only those that CPU samples show in the runtime's functions"

func HasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
