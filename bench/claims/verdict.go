package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/verdict"
)

// outcome is the judgement on a published figure.
type outcome string

const (
	holds      outcome = "holds"
	inPart     outcome = "holds in part"
	fails      outcome = "does not hold"
	untestable outcome = "cannot be tested"
	undecided  outcome = "not decided: more blocks would decide"
	single     outcome = "no verdict: one run of each"
	absent     outcome = "not in the report: the mode failed, or this system does not tell"
	unmeasured outcome = "not measured yet"
)

// closeTo is how near a share, or a ratio near 1, must come to the one number
// that was published: 3%, below which nobody changes a program. A published
// range says itself how near.
const closeTo = 0.03

// judge holds a measured ratio against the published one. A gain holds if the
// interval reaches the lower published value, and holds in part if it is surely a
// gain, but a smaller one; the same the other way round for a loss. A claim of no
// change holds where the interval contains that, and a claim of a cost of some per
// cent at most also where there is a gain instead. A count
// or a size may rest on one run of each, a time may not.
func (f figure) judge(m measurement) outcome {
	low, high, off := m.low, m.high, closeTo
	if f.low != f.high {
		off = 0
	}
	if low == 0 && high == 0 { // one run each, or a share
		if strings.HasSuffix(f.metric, "-sec") {
			return single
		}
		low, high = m.ratio*(1-off), m.ratio*(1+off)
	}
	gain, loss := f.high < 1-closeTo, f.low > 1+closeTo
	switch {
	case f.of != "", !gain && !loss:
		least := f.low
		if f.low == 1 && f.high > 1 {
			least = 0
		}
		switch {
		case low > f.high+off || high < least-off:
			return fails
		case m.verdict == verdict.Inconclusive && (low < least-2*off || high > f.high+2*off):
			return undecided // so wide an interval contains anything
		}
		return holds
	case m.verdict == verdict.Inconclusive:
		return undecided
	case gain && low <= f.high && high < 1, loss && high >= f.low && low > 1:
		return holds
	case gain && high < 1, loss && low > 1:
		return inPart
	}
	return fails
}

// together sums the outcomes of a claim's figures up. A figure that a report does not
// hold speaks neither for the claim nor against it.
func together(all []outcome) outcome {
	count := map[outcome]int{}
	for _, o := range all {
		count[o]++
	}
	switch n := len(all); {
	case count[unmeasured] == n:
		return unmeasured
	case count[unmeasured] > 0:
		return "not measured wholly yet"
	case count[absent] == n:
		return absent
	case count[holds] == n:
		return holds
	case count[holds]+count[inPart] > 0:
		return inPart
	case count[undecided] > 0:
		return undecided
	case count[single] == n:
		return single
	}
	return fails
}
