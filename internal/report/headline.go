package report

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// title returns a metric's name for people.
func title(metric string) string { return sample.Lookup(metric).Title }

// headline says what a mode does, in short: "CPU −31 % [−34.1, −28.0] %, peak RSS
// +84 %". It names the primary metric, and of the others those of which a
// benchmark became better or worse.
func (g *grid) headline(mode string) string {
	s, ok := g.summaries[mode]
	if reason := g.failed(mode); reason != "" {
		return "failed: " + plain.Harmless(reason)
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
		part := plain.Harmless(title(metric)) + " " + whole(ratio)
		if metric == sample.Primary {
			part += " " + g.spread(mode, metric)
		}
		parts = append(parts, strings.TrimSpace(part))
	}
	if parts == nil {
		return plain.Harmless(s.Reason)
	}
	return strings.Join(parts, ", ")
}

// failed says why there is nothing to judge of a mode: it could not be built or
// proven, or its runs failed. It is "" where there is something, or not yet.
func (g *grid) failed(mode string) string {
	if s, ok := g.summaries[mode]; ok {
		return s.Failed
	}
	for _, f := range g.Failures {
		if f.Mode == mode {
			return f.Reason
		}
	}
	return ""
}

// moved reports whether a mode is better or worse for some benchmark.
func (g *grid) moved(mode, metric string) bool {
	for _, key := range g.benchmarks {
		if v := g.effects[cell{key, mode, metric}].Verdict; v == verdict.Better || v == verdict.Worse {
			return true
		}
	}
	return false
}

// spread says how sure or how even a mode's effect is: of one benchmark the
// interval; of several, whose mean has no interval, the range of the effects.
func (g *grid) spread(mode, metric string) string {
	var all []verdict.Effect
	for _, key := range g.benchmarks {
		if e, ok := g.effects[cell{key, mode, metric}]; ok {
			all = append(all, e)
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return interval(all[0])
	}
	low, high := all[0].Ratio, all[0].Ratio
	for _, e := range all {
		low, high = min(low, e.Ratio), max(high, e.Ratio)
	}
	return fmt.Sprintf("(%s … %s over %d benchmarks)", strings.TrimSuffix(whole(low), " %"), whole(high), len(all))
}

// toDecide says what would decide an inconclusive effect: "8 more blocks", or ""
// where that is not known.
func toDecide(e verdict.Effect) string {
	switch {
	case e.Verdict != verdict.Inconclusive || e.MoreBlocks <= 0:
		return ""
	case e.MoreBlocks >= verdict.Hopeless:
		return "too near to δ to tell"
	}
	return fmt.Sprintf("%d more blocks", e.MoreBlocks)
}

// lead is the answer in one line: the mode to adopt that saves most of the
// primary metric, or that none is proven, or that nothing was.
func (g *grid) lead() (answer, figures string) {
	best := ""
	decided, measured := false, false
	for _, mode := range g.candidates {
		s := g.summaries[mode]
		measured = measured || g.failed(mode) == ""
		decided = decided || s.Decision == verdict.NoMatter || s.Decision == verdict.Reject
		if s.Decision == verdict.Adopt && (best == "" || s.Geomean[sample.Primary] < g.summaries[best].Geomean[sample.Primary]) {
			best = mode
		}
	}
	base := plain.Harmless(g.Baseline)
	switch {
	case best != "":
		return "Adopt " + plain.Harmless(best), g.headline(best)
	case decided:
		return "Keep " + base, "no other mode is proven to be cheaper"
	case !measured:
		return "Keep " + base, "every other mode failed"
	}
	return "No verdict yet", "more blocks would tell; until then keep " + base
}
