// Package rules reads evidence and returns findings: a change to a program, the
// reason for it, and its saving.
//
// A rule is one value in one file: the callees and expressions whose allocations
// it claims, the share of them that its remedy saves, and its text. Package finding
// assigns every cause, a site's allocations through one callee or by one
// expression, to the one rule with the strongest claim, so two rules never
// promise the same saving. Rules about the whole program, such as frequent-gc,
// claim nothing and search the evidence themselves.
//
// The stance: a rule that lacks evidence stays silent and says why, and a remedy
// that would not help is not proposed.
package rules
