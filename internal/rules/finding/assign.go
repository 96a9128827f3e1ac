package finding

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
)

// assign returns the causes of all sites that allocate enough, by rule.
func assign(rules []*Rule, e *evidence.Evidence) map[*Rule][]Cause {
	all := map[*Rule][]Cause{}
	for i := range e.Sites {
		s := &e.Sites[i]
		if !s.Own {
			continue // the path has no line of the program's own, so there is nothing to change
		}
		if max(s.CPU.High, s.Memory.High) >= evidence.MinSaving || e.CPU == nil && e.Share(s.Alloc) >= minShare {
			for _, c := range explain(rules, e, s) {
				all[c.rule] = append(all[c.rule], c.Cause)
			}
		}
	}
	return all
}

// An assignment is a cause with the rule to which it belongs.
type assignment struct {
	Cause
	rule *Rule
}

// explain divides a site's allocations into causes, unless a rule claims the whole site. A
// cause is a call through a function that a rule claims, or an expression of the line itself.
func explain(rules []*Rule, e *evidence.Evidence, s *evidence.Site) []assignment {
	for _, r := range rules {
		if r.ClaimsSite != nil && r.ClaimsSite(s) {
			return []assignment{{Cause{Weight: s.Sum, Site: s, Confidence: evidence.Medium}, r}}
		}
	}
	var through []assignment
	var own []evidence.Call
	for _, call := range e.Calls(s) {
		rule, callee := ClaimCallee(rules, call)
		if rule == nil {
			own = append(own, call)
			continue
		}
		i := slices.IndexFunc(through, func(c assignment) bool { return c.rule == rule && c.Callee == callee })
		if i < 0 {
			through = append(through, assignment{Cause{Site: s, Callee: callee, Confidence: evidence.High}, rule})
			i = len(through) - 1
		}
		through[i].Add(call.Weight)
	}
	var direct []assignment
	for _, x := range e.Expressions(s, own, len(through) > 0) {
		direct = append(direct, assignment{Cause{Weight: x.Weight, Site: s, Expression: x.Allocation, Confidence: x.Confidence}, ClaimExpression(rules, e, s, x)})
	}
	return merge(e, append(through, merge(e, direct)...))
}

// merge adds up the causes that a site has for one rule. The largest one stands for them.
func merge(e *evidence.Evidence, all []assignment) []assignment {
	slices.SortStableFunc(all, func(a, b assignment) int { return cmp.Compare(e.Size(b.Weight), e.Size(a.Weight)) })
	var merged []assignment
	for _, c := range all {
		i := slices.IndexFunc(merged, func(m assignment) bool { return m.rule == c.rule })
		if i < 0 {
			merged = append(merged, c)
			continue
		}
		merged[i].Add(c.Weight)
		merged[i].Callee = cmp.Or(merged[i].Callee, c.Callee)
	}
	return merged
}
