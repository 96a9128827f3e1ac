package trace

import "slices"

const (
	// holding is the time from which on a goroutine holds a permit, instead of passing news on.
	holding = 100_000
	// maxPassed bounds the waits of one request that are kept.
	maxPassed = 4
)

// passage is the end of a goroutine's wait for a channel, a condition or a group.
type passage struct {
	at      Place
	time    int64
	request bool
}

// pass notes that a goroutine's wait ends. The next request of a goroutine has passed
// nothing.
func (g *goroutine) pass(now int64) {
	switch w := &g.wait; w.kind {
	case ChannelWait, ConditionWait, GroupWait:
		g.passed = slices.DeleteFunc(g.passed, func(p passage) bool { return p.at == w.site.at })
		if len(g.passed) >= maxPassed {
			g.passed = append(g.passed[:0], g.passed[1:]...)
		}
		g.passed = append(g.passed, passage{w.site.at, now, w.site.request})
	case "":
		if !w.site.request {
			g.passed = slices.DeleteFunc(g.passed, func(p passage) bool { return p.request })
		}
	}
}

// wantsPermit reports whether a goroutine waits for a permit, such as one from a channel.
// The other releases it in the function in which it has waited for one, too, and has
// worked in between. Workers that pass work on to others of their kind do all that. But
// their work begins and ends with the same wait.
func (g *goroutine) wantsPermit(by *goroutine, release site, now int64) bool {
	at := g.wait.site.at
	if g.from == at || !slices.Contains(release.own, at.Function) {
		return false
	}
	return slices.ContainsFunc(by.passed, func(p passage) bool {
		return p.at == at && now-p.time >= holding
	})
}
