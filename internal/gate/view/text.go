package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// gateColor paints outcomes as verdicts are painted.
var gateColor = map[gate.Outcome]string{
	gate.Fail:         verdictColor[verdict.Worse],
	gate.Inconclusive: verdictColor[verdict.Inconclusive],
	gate.Excused:      verdictColor[verdict.Inconclusive],
}

// Gate writes the result of a gate for a terminal: the verdict first, then the rows
// that are not well, then the number of those that are.
func Gate(w io.Writer, r *gate.Result, strict bool, style Style) error {
	t := &text{Style: style, out: bufio.NewWriter(w)}
	t.line("%s", gateHeadline(r, strict))
	t.line("")
	for _, row := range r.Rows {
		if row.Outcome == gate.Pass {
			break // the rest pass too
		}
		line := termtext.Fit(row.Key.String(), 36) + " " + termtext.Fit(title(row.Metric), 10) + " " + gateFigures(row)
		t.line("%s %s", t.paint(gateColor[row.Outcome], termtext.Fit(string(row.Outcome), verdictWidth)), line)
		for _, site := range row.Sites {
			t.line("    %s", gateSite(row, site))
		}
	}
	for _, f := range r.Broken {
		t.line("%s %s: %s", t.paint(gateColor[gate.Fail], termtext.Fit("broken", verdictWidth)), termtext.Harmless(f.Key.String()), termtext.Harmless(f.Reason))
		for _, l := range lastLines(f.Output, 5) {
			t.line("    %s", l)
		}
	}
	t.line("%s", gateCounts(r))
	for _, l := range gateUnmatched(r) {
		t.line("%s", termtext.Harmless(l))
	}
	for _, warning := range r.Warnings {
		for i, l := range termtext.Wrap("warning: "+warning, t.width()-4) {
			t.line("%s%s", strings.Repeat(" ", 4*min(i, 1)), l)
		}
	}
	return t.out.Flush()
}

// gateHeadline is the answer in one line.
func gateHeadline(r *gate.Result, strict bool) string {
	word := "passed"
	switch open := r.Count(gate.Inconclusive); {
	case r.Failed(strict):
		word = "FAILED"
	case r.Undecided():
		word = "decided nothing"
	case open > 0:
		word += fmt.Sprintf(", but left open %d of %d", open, len(r.Rows))
	}
	worst := ""
	if len(r.Rows) > 0 && r.Rows[0].Outcome == gate.Fail {
		e := r.Rows[0]
		worst = fmt.Sprintf(": %s of %s %s", title(e.Metric), termtext.Harmless(e.Key.String()), format.Change(e.Ratio))
	} else if len(r.Broken) > 0 {
		worst = fmt.Sprintf(": %s no longer runs", termtext.Harmless(r.Broken[0].Key.String()))
	}
	return fmt.Sprintf("gate %s%s (%s against %s)", word, worst, termtext.Harmless(r.Head), termtext.Harmless(r.Base))
}

// gateFigures tells an effect and the budget that it is compared with.
func gateFigures(row gate.Row) string {
	s := fmt.Sprintf("%s %s of %s, budget +%s", format.ChangeWithin(row.Ratio, row.Low, row.High), interval(row.Effect), Value(row.Metric, row.Baseline), format.Share(row.Limit.Grow))
	switch {
	case row.Exception != nil:
		s += fmt.Sprintf("; allowed until %s: %s", row.Exception.Until.Format("2006-01-02"), termtext.Harmless(row.Exception.Reason))
	case row.MoreBlocks >= verdict.Hopeless:
		s += "; too close to the budget to be decided"
	case row.MoreBlocks > 0:
		s += "; about " + format.Plural(verdict.About(row.MoreBlocks), "more block") + " would decide"
	}
	return s
}

// gateCounts tells how many questions came out how.
func gateCounts(r *gate.Result) string {
	parts := []string{}
	for _, o := range []gate.Outcome{gate.Fail, gate.Inconclusive, gate.Excused, gate.Pass} {
		if n := r.Count(o); n > 0 || o == gate.Pass {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(" of %d", len(r.Rows))
}

// gateUnmatched lists the benchmarks that could not be compared.
func gateUnmatched(r *gate.Result) []string {
	var lines []string
	for _, side := range []struct {
		name string
		keys []sample.Key
	}{{r.Base, r.OnlyBase}, {r.Head, r.OnlyHead}} {
		if len(side.keys) == 0 {
			continue
		}
		var names []string
		for _, k := range side.keys {
			names = append(names, k.String())
		}
		lines = append(lines, fmt.Sprintf("only in %s, not compared: %s", side.name, strings.Join(names, ", ")))
	}
	return lines
}
