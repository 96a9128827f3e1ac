package report

import (
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Widths of the columns of the verdict table; the mode and the bar share the rest.
const (
	changeWidth   = 7  // "-31.2%"
	intervalWidth = 17 // "[-34.1%, -28.0%]"
	verdictWidth  = 13 // "inconclusive"
	otherWidth    = 9  // "?+31.2%"
	modeWidth     = 15 // the least; it takes what is left
)

// beside lists the metrics that stand beside the primary one in short, by how
// much one wants to know them of a memory mode; a narrow terminal shows the
// first ones. A target's own units are in the other views.
var beside = []string{sample.PeakRSS, "p99-latency-sec", "p50-latency-sec", "B/op", "allocs/op", "sec/op"}

// verdicts writes a row for each benchmark and mode: the primary metric in
// full, the others in short.
func (t *text) verdicts() {
	if len(t.judged) == 0 {
		return
	}
	// The primary metric and its bar get their columns first, other metrics as far as there is
	// room, and the mode's name the rest.
	primary := t.judged[0]
	room := t.Width() - changeWidth - intervalWidth - verdictWidth - modeWidth
	rest := slices.DeleteFunc(slices.Clone(beside),
		func(metric string) bool { return !slices.Contains(t.judged[1:], metric) })
	bar := min(25, max(9, room-len(rest)*otherWidth-8)) | 1 // odd: there is a middle
	room -= bar + 2
	rest = rest[:min(len(rest), max(0, room/otherWidth))]
	mode := modeWidth + room - len(rest)*otherWidth

	head := termtext.Fit("", mode) + termtext.FitRight(title(primary), changeWidth) +
		termtext.FitRight("interval", intervalWidth)
	head += "  " + termtext.Fit(center("less", "more", bar), bar) + " " + termtext.Fit("", verdictWidth-1)
	for _, metric := range rest {
		head += termtext.FitRight(strings.TrimSuffix(strings.TrimSuffix(title(metric), "/op"), " latency"), otherWidth)
	}
	t.line("%s", t.Paint(termtext.Dim, strings.TrimRight(head, " ")))

	// All bars have one scale, so that they can be compared across benchmarks.
	scale := t.barScale(primary)
	for _, key := range t.benchmarks {
		if t.compared[key] == nil {
			continue
		}
		t.line("%s", strings.TrimRight(termtext.Fit(key.String(), t.Width()), " "))
		for _, m := range t.compared[key] {
			e, ok := t.effects[cell{key, m, primary}]
			if !ok {
				continue
			}
			color := verdictColor[e.Verdict]
			line := termtext.Fit("  "+m, mode) +
				termtext.FitRight(format.ChangeWithin(e.Ratio, e.Low, e.High), changeWidth)
			line += termtext.FitRight(format.Interval(e.Low, e.High), intervalWidth)
			line += "  " + t.Paint(color, drawBar(e, scale, bar)) + " " +
				t.Paint(color, termtext.Fit(string(e.Verdict), verdictWidth-1))
			for _, metric := range rest {
				e, ok := t.effects[cell{key, m, metric}]
				line += t.inShort(e, ok)
			}
			t.line("%s", strings.TrimRight(line, " "))
		}
	}
	t.line("%s", t.Paint(termtext.Dim, "█ sure  ░ as far as the interval goes  ? inconclusive"))
	t.line("")
}

// inShort is an effect of a metric beside the primary, coloured by its verdict
// and marked where it is not decided.
func (t *text) inShort(e verdict.Effect, ok bool) string {
	switch {
	case !ok:
		return termtext.FitRight("–", otherWidth)
	case e.Verdict == verdict.Same:
		return t.Paint(termtext.Dim, termtext.FitRight("same", otherWidth))
	case e.Verdict == verdict.Inconclusive:
		return t.Paint(verdictColor[e.Verdict], termtext.FitRight("?"+format.Change(e.Ratio), otherWidth))
	}
	return t.Paint(verdictColor[e.Verdict], termtext.FitRight(format.Change(e.Ratio), otherWidth))
}

// center sets two words left and right of a middle line.
func center(left, right string, width int) string {
	half := width / 2
	return termtext.FitRight(left, half) + "│" + termtext.Fit(right, half)
}

// barScale is the logarithm of the ratio that a bar's end stands for: the ratio of the
// largest effect, but at most four.
func (t *text) barScale(metric string) float64 {
	scale := math.Log(1.05)
	for c, e := range t.effects {
		if c.Metric == metric && e.Ratio > 0 {
			scale = max(scale, math.Abs(math.Log(e.Ratio)))
		}
	}
	return min(scale, math.Log(4))
}

// drawBar draws an effect from a middle line, less to the left: solid as far as
// the whole interval goes, shaded where only part of it does.
func drawBar(e verdict.Effect, scale float64, width int) string {
	half := width / 2
	// at returns the columns between the middle and a ratio. The logarithm of 0 is -Inf.
	at := func(ratio float64) float64 {
		return max(-1, min(math.Log(max(ratio, 0))/scale, 1)) * float64(half)
	}
	low, high := at(e.Low), at(e.High)
	var b strings.Builder
	for i := -half; i <= half; i++ {
		// The middle of this column, measured away from the middle line.
		x, near, far := float64(i)-0.5, low, high
		if i < 0 {
			x, near, far = float64(-i)-0.5, -high, -low
		}
		switch {
		case i == 0:
			b.WriteString("│")
		case x <= near:
			b.WriteString("█")
		case x <= far:
			b.WriteString("░")
		default:
			b.WriteString(" ")
		}
	}
	return b.String()
}
