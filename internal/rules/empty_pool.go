package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var emptyPool = &finding.Rule{
	Name:  "empty-pool",
	Title: "a sync.Pool is empty and makes a new object",
	Doc: `Finds allocations by the New function of a sync.Pool: by the call path. Each is a Get that found the pool empty.
Either objects are not put back, or they are still in use at the next Get, or the collector took them: it empties a pool
that is not used for two cycles. It is wrong if the pool is only being filled for the first time.`,
	Remedy: "Put every object back, on every path and as soon as its last use is over. Collect less often, since the collector " +
		"empties pools. A second pool does not help.",
	Example: `b := pool.Get().(*bytes.Buffer)
defer pool.Put(b) // also after an error or a panic
b.Reset()`,
	Risk:       "An object that something still uses must not be put back.",
	ClaimsSite: isPoolNew,
	Saves:      evidence.Range{Low: 0, High: 1},
}

// isPoolNew reports whether a site is in the New function of a sync.Pool.
func isPoolNew(s *evidence.Site) bool {
	i := slices.IndexFunc(s.Path, func(f evidence.Frame) bool { return f.Function == s.Function && f.Line == s.Line })
	return i >= 0 && i+1 < len(s.Path) && s.Path[i+1].Function == "sync.(*Pool).Get"
}
