package diagnose

import "fmt"

// Behavior is what becomes of what a site allocates.
type Behavior string

// Behaviors.
const (
	Churns  Behavior = "churns"  // nearly all of it dies
	Grows   Behavior = "grows"   // more of it lives each hour: a leak, or a cache that still fills
	Shrinks Behavior = "shrinks" // less of it lives each hour
	Steady  Behavior = "steady"  // what lives of it neither grows nor shrinks
	Unclear Behavior = "unclear" // the profiles do not tell
)

// churning is how much of the bytes allocated may live: less is what a
// collection or two have not come to yet.
const churning = 0.05

// behavior says what becomes of a site's memory and how that is known.
func (e *Evidence) behavior(s *Site) (Behavior, string) {
	survives, known := s.Survival()
	switch g := s.Growth; {
	case known && survives < churning && g.surely() < trifle:
		return Churns, fmt.Sprintf("%.1f %% of what it allocated lives", 100*survives)
	case g == nil && len(e.Heaps) == 0:
		return Unclear, "no heap profile says what lives; give one"
	case g == nil:
		return Unclear, "one heap profile cannot tell a leak from a cache that is full; give a second, taken later"
	case g.Low > 0:
		return Grows, fmt.Sprintf("in %d heap profiles over %.0f s; who holds it, profiles do not tell", g.Profiles, g.Span)
	case g.High < 0:
		return Shrinks, fmt.Sprintf("in %d heap profiles over %.0f s", g.Profiles, g.Span)
	case g.Low == g.High:
		return Steady, fmt.Sprintf("the same in %d heap profiles over %.0f s", g.Profiles, g.Span)
	}
	return Unclear, fmt.Sprintf("%d heap profiles over %.0f s leave it open whether it grows; take more, further apart", s.Growth.Profiles, s.Growth.Span)
}
