package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// colors of verdicts and decisions; the word stands beside, so that colour is
// never the only sign.
var (
	verdictColor = map[verdict.Verdict]string{verdict.Better: termtext.Green, verdict.Worse: termtext.Red,
		verdict.Same: termtext.Dim, verdict.Inconclusive: termtext.Yellow}
	decisionColor = map[verdict.Decision]string{verdict.Adopt: termtext.BoldGreen, verdict.Reject: termtext.Red,
		verdict.Neutral: termtext.Dim, verdict.Undecided: termtext.Yellow}
)

// text is the terminal's view: an answer first, then its grounds.
type text struct {
	*grid
	termtext.Style
	out *bufio.Writer
}

// Table writes the verdicts for a terminal; dir is the folder that holds the
// other views, to be named at the end, or "".
func Table(w io.Writer, doc *result.Document, dir string, style termtext.Style) error {
	t := &text{newGrid(doc), style, bufio.NewWriter(w)}
	t.facts()
	t.decisions()
	t.verdicts()
	t.probes()
	t.failures()
	t.remarks()
	t.traces(dir)
	if dir != "" {
		t.line("Plots, every sample and how to repeat it: %s", termtext.Harmless(filepath.Join(dir, "report.html")))
	}
	return t.out.Flush()
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

// facts writes in one line how the experiment measured.
func (t *text) facts() {
	s := fmt.Sprintf("%s against %s: %s, seed %d%s", t.Target, t.Baseline,
		format.Plural(t.Blocks, "block"), t.Seed, t.floor())
	if t.Stopped != "" {
		s += "; stopped: " + t.Stopped
	}
	for _, l := range termtext.Wrap(s, t.Width()) {
		t.line("%s", l)
	}
	t.line("")
}

// decisions writes a line for each mode, and the reason below it.
func (t *text) decisions() {
	const decision = 14
	indent := strings.Repeat(" ", decision)
	for _, mode := range t.candidates {
		s := t.summaries[mode]
		word, color := string(s.Decision), decisionColor[s.Decision]
		if s.Failed != "" || word == "" {
			word, color = "no verdict", termtext.Red
		}
		for i, l := range termtext.Wrap(mode+": "+t.headline(mode), t.Width()-decision) {
			if i == 0 {
				t.line("%s%s", t.Paint(color, termtext.Fit(word, decision)), t.Paint(termtext.Bold, l))
			} else {
				t.line("%s%s", indent, t.Paint(termtext.Bold, l))
			}
		}
		for _, l := range termtext.Wrap(s.Reason, t.Width()-decision) {
			t.line("%s%s", indent, t.Paint(termtext.Dim, l))
		}
	}
	t.line("")
}

// failures shows the runs that gave no sample with the end of their output.
func (t *text) failures() {
	const shown = 10
	for i, f := range t.Failures {
		if i == shown {
			t.line("… and %d more failed runs", len(t.Failures)-shown)
			break
		}
		what := fmt.Sprintf("failed: %s: %s", f.Run(), f.Reason)
		for _, l := range termtext.Wrap(what, t.Width()) {
			t.line("%s", t.Paint(termtext.Red, l))
		}
		for _, l := range termtext.LastLines(f.Output, 5) {
			t.line("%s", strings.TrimRight("    "+termtext.Fit(l, t.Width()-4), " "))
		}
	}
	if len(t.Failures) > 0 {
		t.line("")
	}
}

func (t *text) remarks() {
	const warning = "warning: "
	all := make([]string, 0, len(t.Warnings))
	for _, w := range t.Warnings {
		all = append(all, warning+w)
	}
	all = append(all, t.missing()...)
	for _, l := range all {
		for i, part := range termtext.Wrap(l, t.Width()-4) {
			if rest, ok := strings.CutPrefix(part, warning); ok && i == 0 {
				part = t.Paint(termtext.Yellow, warning) + rest
			}
			t.line("%s%s", strings.Repeat(" ", min(i, 1)*4), part)
		}
	}
	if len(all) > 0 {
		t.line("")
	}
}
