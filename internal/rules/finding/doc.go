// Package finding applies rules to evidence. All rules share its type Rule, the division of a
// site's allocations into causes, the assignment of each cause to the rule with the strongest
// claim, and the texts, patches and ranks of findings.
//
// The stance: two rules never promise the same saving, because each cause belongs
// to one rule. The package knows no rule by name.
package finding
