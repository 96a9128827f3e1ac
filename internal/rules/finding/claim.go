package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
)

// ClaimCallee returns the rule for a call, and the outermost function that the
// rule claims. It is nil for allocations of the line itself. Functions that a
// dependency calls are not claimed: the line cannot call them in another way.
func ClaimCallee(rules []*Rule, call evidence.Call) (*Rule, string) {
	near, callee := call.Below, ""
	if call.Foreign < len(near) {
		near, callee = near[:call.Foreign+1], near[call.Foreign]
	}
	if r, named := claimNamed(rules, near); r != nil {
		return r, named
	}
	if len(near) > 0 && !owner.OfRuntime(near[0]) {
		callee = cmp.Or(callee, near[0])
		for _, r := range rules {
			if r.OtherCallees && !r.declines(callee) {
				return r, callee
			}
		}
	}
	return nil, ""
}

// claimNamed is ClaimCallee for functions that rules name.
func claimNamed(rules []*Rule, below []string) (*Rule, string) {
	for i, name := range below {
		rule := Named(rules, name)
		if rule == nil {
			continue
		}
		for _, y := range rule.Yields {
			if !strings.HasPrefix(name, y.Callee) {
				continue
			}
			if inner, callee := claimNamed(rules, below[i+1:]); inner != nil && (y.To == nil || slices.Contains(y.To, inner)) {
				return inner, callee
			}
		}
		return rule, name
	}
	return nil, ""
}

// Named returns the rule that claims a function by its longest prefix.
func Named(rules []*Rule, function string) *Rule {
	var best *Rule
	longest := 0
	for _, r := range rules {
		for _, p := range r.Callees {
			if len(p) > longest && strings.HasPrefix(function, p) && !r.declines(function) {
				best, longest = r, len(p)
			}
		}
	}
	return best
}

// ClaimExpression returns the rule with the strongest claim on an expression.
func ClaimExpression(rules []*Rule, e *evidence.Evidence, s *evidence.Site, x evidence.Expression) *Rule {
	var best *Rule
	strongest := Unclaimed
	for _, r := range rules {
		if r.Claims == nil {
			continue
		}
		if c := r.Claims(e, s, x); c > strongest {
			best, strongest = r, c
		}
	}
	return best
}
