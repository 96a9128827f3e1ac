// Package formatting is a pair for the rule on fmt on a hot path: calls are
// counted by caller, route and status. Before, the three are formatted into a
// key; after, they are the key.
package formatting

import "fmt"

type call struct {
	caller, route string
	status        int
}

// before returns the number of calls of the most frequent kind.
func before(calls []call) int {
	counts := map[string]int{}
	for _, c := range calls {
		counts[fmt.Sprintf("%s|%s|%d", c.caller, c.route, c.status)]++ // want: formatting
	}
	return most(counts)
}

func after(calls []call) int {
	counts := map[call]int{}
	for _, c := range calls {
		counts[c]++
	}
	return most(counts)
}

func most[K comparable](counts map[K]int) int {
	n := 0
	for _, c := range counts {
		n = max(n, c)
	}
	return n
}
