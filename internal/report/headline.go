package report

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// title returns a metric's name for people.
func title(metric string) string { return sample.Lookup(metric).Title }

// headline is the effect of a mode, in short: "CPU -31% [-34.1%, -28.0%], peak RSS
// +84%". It names the primary metric, and the others in which a benchmark became better
// or worse.
func (g *grid) headline(mode string) string {
	s, ok := g.summaries[mode]
	if reason := g.failed(mode); reason != "" {
		return "failed: " + termtext.Harmless(reason)
	}
	if !ok {
		return "no verdict"
	}
	var parts []string
	for _, metric := range g.judged {
		ratio, ok := s.Geomean[metric]
		if !ok || metric != sample.Primary && !g.moved(mode, metric) {
			continue
		}
		part := termtext.Harmless(title(metric)) + " "
		if metric == sample.Primary {
			low, high, text := g.spread(mode, metric)
			part += format.ChangeWithin(ratio, low, high) + " " + text
		} else {
			part += format.Change(ratio)
		}
		parts = append(parts, strings.TrimSpace(part))
	}
	if parts == nil {
		return termtext.Harmless(s.Reason)
	}
	return strings.Join(parts, ", ")
}

// failed says why there is nothing to judge of a mode: it could not be built or
// proven, or its runs failed. It is "" where there is something, or not yet.
func (g *grid) failed(mode string) string {
	if s, ok := g.summaries[mode]; ok {
		return s.Failed
	}
	return g.reasons[mode]
}

// moved reports whether a mode is better or worse for some benchmark.
func (g *grid) moved(mode, metric string) bool {
	for _, key := range g.affected[mode] {
		if v := g.effects[cell{key, mode, metric}].Verdict; v == verdict.Better || v == verdict.Worse {
			return true
		}
	}
	return false
}

// spread says how sure or how even a mode's effect is: of one benchmark the
// interval; of several, whose mean has no interval, the range of the effects.
func (g *grid) spread(mode, metric string) (low, high float64, text string) {
	var all []verdict.Effect
	for _, key := range g.affected[mode] {
		if e, ok := g.effects[cell{key, mode, metric}]; ok {
			all = append(all, e)
		}
	}
	switch len(all) {
	case 0:
		return 1, 1, ""
	case 1:
		return all[0].Low, all[0].High, format.Interval(all[0].Low, all[0].High)
	}
	low, high = all[0].Ratio, all[0].Ratio
	for _, e := range all {
		low, high = min(low, e.Ratio), max(high, e.Ratio)
	}
	return low, high, fmt.Sprintf("(range %s over %d benchmarks)", format.Interval(low, high), len(all))
}

// toDecide says how much more would decide an inconclusive effect: "8 more blocks",
// or "" where that is not known.
func toDecide(e verdict.Effect) string {
	switch {
	case e.Verdict != verdict.Inconclusive || e.MoreBlocks <= 0:
		return ""
	case e.MoreBlocks >= verdict.Hopeless:
		return "too close to δ to decide"
	}
	return format.Plural(verdict.About(e.MoreBlocks), "more block")
}

// lead is the answer in one line. A part of a tuning has none but the tuning's. Else
// it is the mode to adopt that saves most of the
// primary metric, or that none is proven, or that nothing was.
func (g *grid) lead() (answer, figures string) {
	if g.Tuning != nil {
		answer, _, _ := strings.Cut(strings.TrimSuffix(g.Tuning.Answer, "."), ". ")
		return "A part of a tuning", "its answer: " + termtext.Harmless(answer)
	}
	best := ""
	decided, measured := false, false
	for _, mode := range g.candidates {
		s := g.summaries[mode]
		measured = measured || g.failed(mode) == ""
		decided = decided || s.Decision == verdict.Neutral || s.Decision == verdict.Reject
		if s.Decision == verdict.Adopt && (best == "" ||
			s.Geomean[sample.Primary] < g.summaries[best].Geomean[sample.Primary]) {
			best = mode
		}
	}
	base := termtext.Harmless(g.Baseline)
	switch {
	case best != "":
		return "Adopt " + termtext.Harmless(best), g.headline(best)
	case decided:
		return "Keep " + base, "no other mode is proven to be cheaper"
	case !measured:
		return "Keep " + base, "every other mode failed"
	}
	needed := "more blocks"
	if _, f := verdict.Soonest(g.Summaries); f != nil && !f.Hopeless() {
		needed = f.String()
	}
	return "No verdict yet", needed + " would decide; until then keep " + base
}
