package trace

import (
	"cmp"
	"slices"

	"golang.org/x/exp/trace"
)

// stuck returns the lines at which goroutines wait for a lock or a pool. The line with the
// longest wait comes first.
func (m *machine) stuck() []Stuck {
	found := map[key]*Stuck{}
	for _, g := range m.goroutines {
		w := &g.wait
		if g.state != trace.GoWaiting || g.system || w.kind != LockWait && w.kind != PoolWait {
			continue
		}
		k := key{kind: w.kind, at: w.site.at}
		s := found[k]
		if s == nil {
			s = &Stuck{Kind: w.kind, At: w.site.at, Via: w.site.via}
			found[k] = s
		}
		s.Goroutines++
		s.Longest = max(s.Longest, m.now-w.since)
	}
	all := []Stuck{}
	for _, s := range found {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Stuck) int {
		return cmp.Or(cmp.Compare(b.Longest, a.Longest), cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line),
			cmp.Compare(a.At.Function, b.At.Function), cmp.Compare(a.Kind, b.Kind))
	})
	return all
}
