package diagnose

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
)

// Behavior says how the memory of an allocation site behaves over time.
type Behavior string

// The behaviors.
const (
	Churns  Behavior = "churns"  // nearly all of it dies
	Grows   Behavior = "grows"   // the live part grows: a leak, or a cache that is not full yet
	Shrinks Behavior = "shrinks" // the live part shrinks
	Steady  Behavior = "steady"  // the live part stays the same
	Unclear Behavior = "unclear" // the profiles do not show it
)

// churning is the share of the allocated bytes below which live bytes do not count. They
// are objects that the last one or two collections were too early for.
const churning = 0.05

// behaviorOf returns how a site's memory behaves, and the reason in words.
func behaviorOf(s *evidence.Site, heaps int) (Behavior, string) {
	survives, known := s.Survival()
	switch g := s.Growth; {
	case known && survives < churning && g.AtLeast() < evidence.Negligible:
		return Churns, format.Share(survives) + " of the bytes it allocated live"
	case g == nil && heaps == 0:
		return Unclear, "no heap profile shows the live objects; give one"
	case g == nil && heaps > 1:
		return Unclear, fmt.Sprintf("the %d heap profiles show one collection, or less than a second; collect before each with -gc, or take them further apart", heaps)
	case g == nil:
		return Unclear, "one heap profile cannot distinguish a leak from a full cache; give two more, taken later"
	case g.Grows():
		return Grows, fmt.Sprintf("in %d heap profiles over %s; profiles do not show who holds it", g.Profiles,
			format.Seconds(g.Span))
	case g.Levels || g.Falters:
		return Unclear, fmt.Sprintf("grew in %d heap profiles over %s, but not surely towards the end; %s", g.Profiles,
			format.Seconds(g.Span), longer(g))
	case g.High < 0:
		return Shrinks, fmt.Sprintf("in %d heap profiles over %s", g.Profiles, format.Seconds(g.Span))
	case g.Steady():
		return Steady, fmt.Sprintf("the same within a tenth in %d heap profiles over %s", g.Profiles,
			format.Seconds(g.Span))
	}
	return Unclear, fmt.Sprintf("%d heap profiles over %s leave it open whether it grows; %s", s.Growth.Profiles,
		format.Seconds(s.Growth.Span), longer(s.Growth))
}

// longer returns how to take profiles that would decide. A program that leaks collects
// less and less often, because its goal grows with its heap. So without -gc, no duration
// may be long enough.
func longer(g *evidence.Growth) string {
	if g.Profiles < fewProfiles {
		return "collect before each with -gc"
	}
	return "watch it for about " + format.Seconds(g.Enough) + ", with -gc"
}

// fewProfiles is the number of profiles of different collections below which a longer
// watch without -gc may see no more of them.
const fewProfiles = 5
