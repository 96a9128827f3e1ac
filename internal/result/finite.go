package result

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Infinite stands for +Inf in a document, since JSON has none: the ratio to a
// baseline of zero.
const Infinite = math.MaxFloat64

// Finite returns a copy of the document as JSON can hold it. A benchmark may
// report an infinity or a NaN: such a sample is left out and a warning names
// it. In an effect +Inf becomes Infinite; one with a NaN becomes inconclusive
// about everything, with a warning of its own.
func Finite(doc *Document) *Document {
	out := *doc
	out.Effects = finiteEffects(doc.Effects)
	out.Control = finiteEffects(doc.Control)
	out.Summaries = slices.Clone(doc.Summaries)
	for i := range out.Summaries {
		out.Summaries[i].Geomean = finiteRatios(out.Summaries[i].Geomean)
	}
	var left []string
	out.Runs = finiteRuns(doc.Runs, &left)
	out.Untimed = finiteRuns(doc.Untimed, &left)
	slices.Sort(left)
	out.Warnings = slices.Concat(doc.Warnings, slices.Compact(left))
	return &out
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// finiteRuns leaves the samples out that are not finite, and adds them to left.
func finiteRuns(runs []sample.Run, left *[]string) []sample.Run {
	out := slices.Clone(runs)
	for i, r := range runs {
		values := maps.Clone(r.Values)
		maps.DeleteFunc(values, func(metric string, v float64) bool {
			if finite(v) {
				return false
			}
			*left = append(*left, fmt.Sprintf("%v in %s reported %v %s: such samples are left out",
				r.Key, r.Mode, v, metric))
			return true
		})
		out[i].Values = values
	}
	return out
}

func finiteRatios(geomean map[string]float64) map[string]float64 {
	out := maps.Clone(geomean)
	maps.DeleteFunc(out, func(_ string, v float64) bool { return math.IsNaN(v) })
	for metric, v := range out {
		out[metric] = min(v, Infinite)
	}
	return out
}

func finiteEffects(effects []verdict.Effect) []verdict.Effect {
	out := slices.Clone(effects)
	for i := range out {
		e := &out[i]
		unknown := false
		for _, field := range []struct {
			v    *float64
			noop float64 // says nothing either way
		}{
			{&e.Ratio, 1}, {&e.Low, 0}, {&e.High, Infinite}, {&e.P, 1}, {&e.Level, 0},
			{&e.Delta, 0}, {&e.Baseline, 0}, {&e.Candidate, 0},
		} {
			if math.IsNaN(*field.v) {
				*field.v, unknown = field.noop, true
			}
			*field.v = max(-Infinite, min(*field.v, Infinite))
		}
		if unknown {
			e.Ratio, e.Low, e.High = 1, 0, Infinite
			e.Verdict = verdict.Inconclusive
			e.Warnings = append(slices.Clip(e.Warnings), "a figure was not a number")
		}
	}
	return out
}
