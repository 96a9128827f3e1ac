// Package rules reads evidence and returns findings. A finding is a change to a program, with
// the reason for it and the saving to expect.
//
// A rule is one value in one file: the callees and expressions whose allocations
// it claims, the share of them that its remedy saves, and its text. Package finding
// assigns every cause, a site's allocations through one callee or by one
// expression, to the one rule with the strongest claim, so two rules never
// promise the same saving. Rules about the whole program, such as frequent-gc,
// claim nothing and search the evidence themselves.
//
// The stance: a rule without enough evidence reports nothing, and a note says why. No rule
// proposes a remedy that would not help.
package rules
