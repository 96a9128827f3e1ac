package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

const rss = sample.PeakRSS

// judge turns the summaries of an experiment into what is to be done with each
// candidate. A mode that takes more memory than is allowed is rejected however
// much CPU it saves; so is one whose tail latency is worse.
func judge(doc *result.Document, all []candidate, memory float64) []Tried {
	var out []Tried
	for _, c := range all {
		t := Tried{Mode: c.mode, Why: c.why, Decision: verdict.Undecided, Reason: "it was not measured"}
		failed := slices.IndexFunc(doc.Failures, func(f result.Failure) bool { return f.Mode == c.mode })
		if failed >= 0 { // what did run sometimes has a summary
			t.Decision, t.Reason = verdict.Reject, "it fails: "+doc.Failures[failed].Reason
		}
		for _, m := range doc.Modes {
			if m.Name == c.mode && m.Failed != "" {
				t.Decision, t.Reason = verdict.Reject, m.Failed
			}
		}
		for _, s := range doc.Summaries {
			if s.Mode == c.mode {
				t.Decision, t.Reason, t.Change = s.Decision, s.Reason, s.Geomean
			}
		}
		if t.Decision == verdict.Adopt || t.Decision == verdict.Undecided {
			t.restrain(doc, memory)
		}
		out = append(out, t)
	}
	return out
}

// restrain rejects what takes too much memory or waits longer, and settles what
// cannot gain enough to be worth asking.
func (t *Tried) restrain(doc *result.Document, memory float64) {
	if peak := largest(doc, t.Mode, rss); memory > 0 && peak > memory {
		t.Decision = verdict.Reject
		t.Reason = fmt.Sprintf("%s; but its peak RSS of %s is more than the %s allowed", t.Reason, size(peak), size(memory))
	} else if tail := worseTail(doc, t.Mode); tail != "" {
		t.Decision = verdict.Reject
		t.Reason = fmt.Sprintf("%s; but %s is worse", t.Reason, tail)
	} else if least := least(doc, t.Mode); t.Decision == verdict.Undecided && least >= 1-little {
		t.Decision = verdict.NoMatter
		t.Reason = fmt.Sprintf("it saves %.1f %% of CPU at the very most", max(0, 100*(1-least)))
	}
}

// least is the lowest end of the intervals of CPU; 0 where there is none.
func least(doc *result.Document, mode string) float64 {
	low := math.Inf(1)
	for _, e := range doc.Effects {
		if e.Mode == mode && e.Metric == sample.Primary {
			low = min(low, e.Low)
		}
	}
	if math.IsInf(low, 1) {
		return 0
	}
	return low
}

// open counts the questions worth measuring on: of CPU, undecided, and with a
// gain that somebody would want still possible.
func open(effects []verdict.Effect) int {
	n := 0
	for _, e := range effects {
		if e.Metric == sample.Primary && e.Verdict == verdict.Inconclusive && e.Low < 1-little {
			n++
		}
	}
	return n
}

// largest returns the largest median of a metric among a mode's benchmarks.
func largest(doc *result.Document, mode, metric string) float64 {
	most := 0.0
	for _, e := range doc.Effects {
		if e.Mode == mode && e.Metric == metric {
			most = max(most, e.Candidate)
		}
	}
	return most
}

// worseTail names a latency that is surely worse in the mode.
func worseTail(doc *result.Document, mode string) string {
	for _, e := range doc.Effects {
		if e.Mode == mode && strings.HasPrefix(e.Metric, "p99") && e.Verdict == verdict.Worse {
			return sample.Lookup(e.Metric).Title + " of " + e.Key.String()
		}
	}
	return ""
}

// enough is how much of the best mode's saving a mode must give to be taken for
// needing less memory.
const enough = 0.9

// adopted and promising tell modes apart by how sure their gain is: proven, or
// as it looks so far.
func adopted(t Tried) bool { return t.Decision == verdict.Adopt }
func promising(t Tried) bool {
	return adopted(t) || t.Decision == verdict.Undecided && t.Change[sample.Primary] > 0 && saved(t) >= little
}

// saved is the share of CPU that a mode saves.
func saved(t Tried) float64 { return 1 - t.Change[sample.Primary] }

// best returns the fit mode of a family that saves most CPU, or one that saves
// nearly as much with less memory; "" without one. A family of "" is any.
func best(tried []Tried, all []candidate, of family, isFit func(Tried) bool) string {
	var fit []Tried
	for i, t := range tried {
		if isFit(t) && (of == "" || all[i].family == of) {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	most := saved(slices.MaxFunc(fit, func(a, b Tried) int { return cmp.Compare(saved(a), saved(b)) }))
	fit = slices.DeleteFunc(fit, func(t Tried) bool { return saved(t) < most*enough })
	return slices.MinFunc(fit, func(a, b Tried) int { return cmp.Compare(a.Change[rss], b.Change[rss]) }).Mode
}

// families in the order in which modes are joined.
var families = []family{release, collector, arenas, pacing}

// finalists returns what is worth a second experiment. If a mode is proven, that
// is the best one and what it can be refined to. Otherwise it is what looks best
// so far, of each family one and two in all: the fewer modes, the more runs of
// each.
func finalists(tried []Tried, all []candidate) []candidate {
	if chosen := best(tried, all, "", adopted); chosen != "" {
		more := refine(tried, all, chosen)
		if len(more) == 0 {
			return nil
		}
		return append([]candidate{{mode: chosen, why: "the best so far"}}, more...)
	}
	var hopeful []Tried
	for _, f := range families {
		if m := best(tried, all, f, promising); m != "" {
			hopeful = append(hopeful, tried[slices.IndexFunc(tried, func(t Tried) bool { return t.Mode == m })])
		}
	}
	slices.SortStableFunc(hopeful, func(a, b Tried) int { return cmp.Compare(saved(b), saved(a)) })
	var out []candidate
	for _, t := range hopeful[:min(2, len(hopeful))] {
		out = append(out, candidate{mode: t.Mode, why: t.Why})
	}
	return out
}

// refine returns what is worth trying beside the chosen mode: the best of each
// family together, since what two remedies save each they need not save
// together, and half as much memory, since it may do nearly as well.
func refine(tried []Tried, all []candidate, chosen string) []candidate {
	var parts, halves []string
	less := false
	for _, f := range families {
		m := best(tried, all, f, adopted)
		if m == "" {
			continue
		}
		half := all[slices.IndexFunc(all, func(c candidate) bool { return c.mode == m })].half
		parts, halves = append(parts, m), append(halves, cmp.Or(half, m))
		less = less || half != ""
	}
	var more []candidate
	if joined := strings.Join(parts, "+"); len(parts) > 1 {
		more = append(more, candidate{mode: joined, why: "what was adopted, together"})
	}
	if joined := strings.Join(halves, "+"); less && joined != chosen {
		more = append(more, candidate{mode: joined, why: "half as much more memory"})
	}
	return more
}

// gains are the effects of one mode on what people pay for and wait for.
func gains(doc *result.Document, mode string) []Gain {
	var out []Gain
	for _, e := range doc.Effects {
		if e.Mode == mode {
			out = append(out, Gain{e.Key.String(), e.Metric, e.Baseline, e.Candidate, e.Ratio, e.Low, e.High})
		}
	}
	return out
}
