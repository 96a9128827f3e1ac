package flame

import (
	"cmp"
	"slices"
	"strings"
)

// sort brings the nodes into preorder, the heaviest callee first.
func (t *Tree) sort() {
	weight := t.Weights(t.Column)
	callees := make([][]int32, len(t.Parent))
	for node, parent := range t.Parent {
		if parent >= 0 {
			callees[parent] = append(callees[parent], int32(node))
		}
	}
	order, stack := make([]int32, 0, len(t.Parent)), []int32{0}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, node)
		slices.SortFunc(callees[node], func(a, b int32) int { // ascending: the stack's end comes first
			return cmp.Or(cmp.Compare(weight[a], weight[b]),
				strings.Compare(t.Frames[t.Frame[b]].Name, t.Frames[t.Frame[a]].Name))
		})
		stack = append(stack, callees[node]...)
	}
	now := make([]int32, len(order)) // old number → new number
	for i, node := range order {
		now[node] = int32(i)
	}
	t.Parent = reorder(t.Parent, order)
	for i, parent := range t.Parent[1:] {
		t.Parent[i+1] = now[parent]
	}
	t.Frame, t.end, t.class = reorder(t.Frame, order), reorder(t.end, order), reorder(t.class, order)
	for i := range t.Self {
		t.Self[i] = reorder(t.Self[i], order)
	}
	for i := range t.Base {
		t.Base[i] = reorder(t.Base[i], order)
	}
}

func reorder[T any](list []T, order []int32) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(order))
	for i, old := range order {
		out[i] = list[old]
	}
	return out
}
