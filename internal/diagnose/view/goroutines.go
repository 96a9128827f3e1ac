package view

import (
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

func (t text) goroutines(n *evidence.GoroutineCount) {
	if n == nil {
		return
	}
	t.head("Goroutines")
	t.line("  %s %s   %s", termtext.Fit("all", 50), termtext.FitRight(firstLast(n.First, n.Last, n.Profiles), 16),
		termtext.Cut(counted(n), columns-71))
	for _, g := range n.Groups {
		t.line("  %s %s", termtext.Fit(termtext.CutLeft(profile.ShortName(g.Function), 50), 50),
			termtext.FitRight(firstLast(g.First, g.Last, n.Profiles), 16))
	}
}

// firstLast formats the numbers in the first and in the last profile: "207 → 974".
func firstLast(first, last float64, profiles int) string {
	if profiles < 2 {
		return format.Count(last)
	}
	return format.Count(first) + " → " + format.Count(last)
}

// counted describes the profiles in which goroutines were counted, and their growth.
func counted(n *evidence.GoroutineCount) string {
	if n.Trend == nil {
		return format.Plural(n.Profiles, "profile")
	}
	return rate(n.Trend)
}

// rate formats a trend per minute with its interval.
func rate(t *evidence.Trend) string {
	perMinute := func(hourly float64) string {
		if sign := math.Copysign(1, hourly); sign < 0 {
			return "-" + format.Count(math.Round(-hourly/60))
		}
		return format.Count(math.Round(hourly / 60))
	}
	return fmt.Sprintf("%s/min [%s, %s]", perMinute(t.PerHour), perMinute(t.Low), perMinute(t.High))
}
