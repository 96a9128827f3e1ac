// Package view shows the result of a gate: for a terminal, as JSON and JUnit XML, as a
// comment for code hosts and as annotations of GitHub Actions.
package view

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

// outcomeWidth is the width of the column of outcomes, as in "inconclusive".
const outcomeWidth = 13

// colors paints outcomes as verdicts are painted.
var colors = map[gate.Outcome]string{
	gate.Fail:         termtext.Red,
	gate.Inconclusive: termtext.Yellow,
	gate.Excused:      termtext.Yellow,
}

// Text writes the result of a gate for a terminal: the verdict first, then the rows
// that are not well, then the number of those that are.
func Text(w io.Writer, r *gate.Result, strict bool, style termtext.Style) error {
	out := bufio.NewWriter(w)
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("%s", headline(r, strict))
	line("")
	for _, row := range r.Rows {
		if row.Outcome == gate.Pass {
			break // the rest pass too
		}
		outcome := style.Paint(colors[row.Outcome], termtext.Fit(string(row.Outcome), outcomeWidth))
		benchmark, metric := termtext.Fit(row.Key.String(), 36), termtext.Fit(sample.Lookup(row.Metric).Title, 10)
		line("%s %s %s %s", outcome, benchmark, metric, figures(row))
		for _, site := range row.Sites {
			line("    %s", growth(row, site))
		}
	}
	for _, f := range r.Broken {
		broken := style.Paint(colors[gate.Fail], termtext.Fit("broken", outcomeWidth))
		line("%s %s: %s", broken, termtext.Harmless(f.Key.String()), termtext.Harmless(f.Reason))
		for _, l := range termtext.LastLines(f.Output, 5) {
			line("    %s", l)
		}
	}
	line("%s", counts(r))
	for _, l := range unmatched(r) {
		line("%s", termtext.Harmless(l))
	}
	for _, warning := range r.Warnings {
		for i, l := range termtext.Wrap("warning: "+warning, style.Width()-4) {
			line("%s%s", strings.Repeat(" ", 4*min(i, 1)), l)
		}
	}
	return out.Flush()
}

// headline is the answer in one line.
func headline(r *gate.Result, strict bool) string {
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
		worst = fmt.Sprintf(": %s of %s %s", sample.Lookup(e.Metric).Title, termtext.Harmless(e.Key.String()),
			format.Change(e.Ratio))
	} else if len(r.Broken) > 0 {
		worst = fmt.Sprintf(": %s no longer runs", termtext.Harmless(r.Broken[0].Key.String()))
	}
	return fmt.Sprintf("gate %s%s (%s against %s)", word, worst, termtext.Harmless(r.Head), termtext.Harmless(r.Base))
}

// figures writes an effect and the budget that it is compared with.
func figures(row gate.Row) string {
	s := fmt.Sprintf("%s %s of %s, budget +%s", format.ChangeWithin(row.Ratio, row.Low, row.High),
		format.Interval(row.Low, row.High), format.Metric(row.Metric, row.Baseline), format.Share(row.Limit.Grow))
	switch {
	case row.Exception != nil:
		s += fmt.Sprintf("; allowed until %s: %s", row.Exception.Until.Format("2006-01-02"),
			termtext.Harmless(row.Exception.Reason))
	case row.MoreBlocks >= verdict.Hopeless:
		s += "; too close to the budget to be decided"
	case row.MoreBlocks > 0:
		s += "; about " + format.Plural(verdict.About(row.MoreBlocks), "more block") + " would decide"
	}
	return s
}

// counts writes how many questions have each outcome.
func counts(r *gate.Result) string {
	parts := []string{}
	for _, o := range []gate.Outcome{gate.Fail, gate.Inconclusive, gate.Excused, gate.Pass} {
		if n := r.Count(o); n > 0 || o == gate.Pass {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(" of %d", len(r.Rows))
}

// unmatched lists the benchmarks that could not be compared.
func unmatched(r *gate.Result) []string {
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
