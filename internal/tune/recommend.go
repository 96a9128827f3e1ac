package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

const rss = sample.PeakRSS

// judge turns the summaries of an experiment into a decision on each candidate. It
// rejects a mode that takes more memory than allowed, or whose tail latency is worse, or
// whose memory costs more than its CPU saves, no matter how much CPU that is.
func judge(doc *result.Document, all []candidate, memory float64, prices Prices) []Tried {
	var out []Tried
	for _, c := range all {
		t := Tried{Mode: c.mode, Why: c.why, Decision: verdict.Undecided, Reason: "it was not measured"}
		failed := slices.IndexFunc(doc.Failures, func(f result.Failure) bool { return f.Mode == c.mode })
		if failed >= 0 { // only if all runs failed; otherwise there is a summary
			f := &target.RunError{Reason: doc.Failures[failed].Reason, Output: doc.Failures[failed].Output}
			t.Decision, t.Reason = verdict.Reject, "it fails: "+f.Error()
		}
		for _, m := range doc.Modes {
			if m.Name == c.mode && m.Failed != "" {
				t.Decision, t.Reason = verdict.Reject, m.Failed
			}
		}
		for _, s := range doc.Summaries {
			if s.Mode == c.mode {
				t.Decision, t.Reason, t.Change, t.Blocks = s.Decision, s.Reason, s.Geomean, doc.Blocks
			}
		}
		if t.Decision == verdict.Adopt || t.Decision == verdict.Undecided {
			t.checkLimits(doc, memory, prices)
		}
		out = append(out, t)
	}
	return out
}

// checkLimits rejects a mode whose runs fail, whose tail latency is worse, or that takes
// too much memory. A mode that cannot gain enough becomes neutral.
func (t *Tried) checkLimits(doc *result.Document, memory float64, prices Prices) {
	if f, n := breaks(doc, t.Mode); n > 0 {
		t.Decision = verdict.Reject
		t.Reason = fmt.Sprintf("%s; but %d of its runs failed where none of the baseline's did: %s", t.Reason, n,
			f.Reason)
	} else if tail := worseTail(doc, t.Mode); tail != "" {
		t.Decision = verdict.Reject
		t.Reason = fmt.Sprintf("%s; but %s is worse", t.Reason, tail)
	} else if peak, baseline := largest(doc, t.Mode, rss); memory > 0 && peak > memory {
		if promising(*t) {
			t.over = &excess{peak: peak, allowed: memory, baseline: baseline}
		}
		t.Decision = verdict.Reject
		t.Reason = fmt.Sprintf("%s; but its peak RSS of %s is more than the %s allowed", t.Reason, format.Bytes(peak),
			format.Bytes(memory))
	} else if poor := prices.tooExpensive(doc, t); poor != "" && promising(*t) {
		t.Decision = verdict.Reject
		t.Reason = t.Reason + "; but " + poor
	} else if least := least(doc, t.Mode); t.Decision == verdict.Undecided && least >= 1-little {
		t.Decision = verdict.Neutral
		t.Reason = "it saves " + format.Share(max(0, 1-least)) + " of CPU at the very most"
	}
}

// breaks returns the number of runs that failed because of a mode, and the first of
// them. Benchmarks that also failed in the baseline or its control do not count.
func breaks(doc *result.Document, mode string) (first result.Failure, n int) {
	for _, f := range doc.Failures {
		byItself := slices.ContainsFunc(doc.Failures, func(b result.Failure) bool {
			return b.Key == f.Key && (b.Mode == doc.Baseline || b.Mode == doc.Baseline+sample.ControlSuffix)
		})
		if f.Mode != mode || byItself {
			continue
		}
		if n++; n == 1 {
			first = f
		}
	}
	return first, n
}

// least returns the lowest end of the intervals of CPU, or 0 if there is none.
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

// open counts the questions that are worth more runs. These are the undecided effects on
// CPU whose interval still contains a gain that somebody would want.
func open(effects []verdict.Effect) int {
	n := 0
	for _, e := range effects {
		if e.Metric == sample.Primary && e.Verdict == verdict.Inconclusive && e.Low < 1-little {
			n++
		}
	}
	return n
}

// largest returns the largest median of a metric among a mode's benchmarks, and the
// baseline's for the same benchmark.
func largest(doc *result.Document, mode, metric string) (most, baseline float64) {
	for _, e := range doc.Effects {
		if e.Mode == mode && e.Metric == metric && e.Candidate > most {
			most, baseline = e.Candidate, e.Baseline
		}
	}
	return most, baseline
}

// worseTail returns the name of a tail latency that is certainly worse in the mode, or "".
func worseTail(doc *result.Document, mode string) string {
	for _, e := range doc.Effects {
		if e.Mode == mode && strings.HasPrefix(e.Metric, "p99") && e.Verdict == verdict.Worse {
			return sample.Lookup(e.Metric).Title + " of " + e.Key.String()
		}
	}
	return ""
}

// enough is the share of the best mode's saving that a mode with less memory needs to be
// preferred.
const enough = 0.9

// adopted reports whether a mode's gain is proven, and promising whether there seems to
// be one.
func adopted(t Tried) bool { return t.Decision == verdict.Adopt }
func promising(t Tried) bool {
	return adopted(t) || t.Decision == verdict.Undecided && t.Change[sample.Primary] > 0 && saved(t) >= little
}

// saved returns the share of CPU that a mode saves.
func saved(t Tried) float64 { return 1 - t.Change[sample.Primary] }

// best returns the mode of a family that saves most CPU, among those for which isFit is
// true, or "". It prefers a mode that saves nearly as much with a smaller upgrade or less
// memory. The family "" stands for all families.
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
	return slices.MinFunc(fit, func(a, b Tried) int {
		return cmp.Or(byVersion(a.Mode, b.Mode), cmp.Compare(a.Change[rss], b.Change[rss]))
	}).Mode
}
