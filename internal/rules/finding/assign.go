package finding

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
)

// assign returns the causes of all sites that are worth it, by rule.
func assign(rules []*Rule, e *evidence.Evidence) map[*Rule][]Cause {
	all := map[*Rule][]Cause{}
	for i := range e.Sites {
		s := &e.Sites[i]
		if !s.Own {
			continue // no line of the program's own is on the path: nothing there to change
		}
		if max(s.CPU.High, s.Memory.High) >= evidence.MinSaving || e.CPU == nil && e.Share(s.Alloc) >= minShare {
			for _, c := range explain(rules, e, s) {
				all[c.rule] = append(all[c.rule], c.Cause)
			}
		}
	}
	return all
}

// assigned is a cause with the rule that it belongs to.
type assigned struct {
	Cause
	rule *Rule
}

// explain divides a site's allocations into causes, unless a rule claims the site:
// calls through a function that a rule claims, and the expressions of the line
// itself.
func explain(rules []*Rule, e *evidence.Evidence, s *evidence.Site) []assigned {
	for _, r := range rules {
		if r.ClaimsSite != nil && r.ClaimsSite(s) {
			return []assigned{{Cause{Weight: s.Sum, Site: s, Confidence: evidence.Medium}, r}}
		}
	}
	var through []assigned
	var own []evidence.Call
	for _, call := range e.Calls(s) {
		rule, callee := ClaimCallee(rules, call)
		if rule == nil {
			own = append(own, call)
			continue
		}
		i := slices.IndexFunc(through, func(c assigned) bool { return c.rule == rule && c.Callee == callee })
		if i < 0 {
			through = append(through, assigned{Cause{Site: s, Callee: callee, Confidence: evidence.High}, rule})
			i = len(through) - 1
		}
		through[i].Add(call.Weight)
	}
	var direct []assigned
	for _, x := range e.Expressions(s, own, len(through) > 0) {
		direct = append(direct, assigned{Cause{Weight: x.Weight, Site: s, Expression: x.Allocation, Confidence: x.Confidence}, ClaimExpression(rules, e, s, x)})
	}
	return merge(e, append(through, merge(e, direct)...))
}

// merge adds up a site's causes of one rule, under the largest.
func merge(e *evidence.Evidence, all []assigned) []assigned {
	slices.SortStableFunc(all, func(a, b assigned) int { return cmp.Compare(e.Size(b.Weight), e.Size(a.Weight)) })
	var merged []assigned
	for _, c := range all {
		i := slices.IndexFunc(merged, func(m assigned) bool { return m.rule == c.rule })
		if i < 0 {
			merged = append(merged, c)
			continue
		}
		merged[i].Add(c.Weight)
		merged[i].Callee = cmp.Or(merged[i].Callee, c.Callee)
	}
	return merged
}
