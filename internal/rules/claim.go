package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
)

// claimCallee returns the rule for a call, and the outermost function that the
// rule claims. It is nil for allocations of the line itself. Functions that a
// dependency calls are not claimed: the line cannot call them in another way.
func claimCallee(call evidence.Call) (*Rule, string) {
	near, callee := call.Below, ""
	if call.Foreign < len(near) {
		near, callee = near[:call.Foreign+1], near[call.Foreign]
	}
	if r, named := claimNamed(near); r != nil {
		return r, named
	}
	if len(near) > 0 && !owner.OfRuntime(near[0]) {
		callee = cmp.Or(callee, near[0])
		for _, r := range Rules {
			if r.OtherCallees && !r.declines(callee) {
				return r, callee
			}
		}
	}
	return nil, ""
}

// claimNamed is claimCallee for functions that rules name.
func claimNamed(below []string) (*Rule, string) {
	for i, name := range below {
		rule := named(name)
		if rule == nil {
			continue
		}
		for _, y := range rule.Yields {
			if !strings.HasPrefix(name, y.Callee) {
				continue
			}
			if inner, callee := claimNamed(below[i+1:]); inner != nil && (y.To == nil || slices.Contains(y.To, inner)) {
				return inner, callee
			}
		}
		return rule, name
	}
	return nil, ""
}

// named returns the rule that claims a function by its longest prefix.
func named(function string) *Rule {
	var best *Rule
	longest := 0
	for _, r := range Rules {
		for _, p := range r.Callees {
			if len(p) > longest && strings.HasPrefix(function, p) && !r.declines(function) {
				best, longest = r, len(p)
			}
		}
	}
	return best
}

// claimExpression returns the rule with the strongest claim on an expression.
func claimExpression(e *evidence.Evidence, s *evidence.Site, x evidence.Expression) *Rule {
	var best *Rule
	strongest := Unclaimed
	for _, r := range Rules {
		if r.Claims == nil {
			continue
		}
		if c := r.Claims(e, s, x); c > strongest {
			best, strongest = r, c
		}
	}
	return best
}
