package report

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Style is how text is set. The zero value is 100 columns without colour.
type Style struct {
	Columns int // of the terminal; 80 to 120 are used, 0 means 100
	Color   bool
}

// StyleOf returns the style that suits f: the terminal's width, and colour
// where f is a terminal and NO_COLOR (no-color.org) is not set.
func StyleOf(f *os.File) Style {
	if !isTerminal(f) {
		return Style{}
	}
	columns, _, _ := term.GetSize(int(f.Fd()))
	return Style{Columns: columns, Color: os.Getenv("NO_COLOR") == ""}
}

func (s Style) width() int {
	if s.Columns == 0 {
		return 100
	}
	return max(80, min(s.Columns, 120))
}

// paint sets text in a colour of the terminal's palette.
func (s Style) paint(color, text string) string {
	if !s.Color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

// colors of verdicts and decisions; the word stands beside, so that colour is
// never the only sign.
var (
	verdictColor  = map[verdict.Verdict]string{verdict.Better: "32", verdict.Worse: red, verdict.Same: dim, verdict.Inconclusive: "33"}
	decisionColor = map[verdict.Decision]string{verdict.Adopt: "1;32", verdict.Reject: red, verdict.Neutral: dim, verdict.Undecided: "33"}
)

// text is the terminal's view: an answer first, then its grounds.
type text struct {
	*grid
	Style
	out *bufio.Writer
}

// Table writes the verdicts for a terminal; dir is the folder that holds the
// other views, to be named at the end, or "".
func Table(w io.Writer, doc *result.Document, dir string, style Style) error {
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

// facts tells in one line how it was measured.
func (t *text) facts() {
	s := fmt.Sprintf("%s against %s: %s, seed %d%s", t.Target, t.Baseline, format.Plural(t.Blocks, "block"), t.Seed, t.floor())
	if t.Stopped != "" {
		s += "; stopped: " + t.Stopped
	}
	for _, l := range termtext.Wrap(s, t.width()) {
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
			word, color = "no verdict", red
		}
		for i, l := range termtext.Wrap(mode+": "+t.headline(mode), t.width()-decision) {
			if i == 0 {
				t.line("%s%s", t.paint(color, termtext.Fit(word, decision)), t.paint(bold, l))
			} else {
				t.line("%s%s", indent, t.paint(bold, l))
			}
		}
		for _, l := range termtext.Wrap(s.Reason, t.width()-decision) {
			t.line("%s%s", indent, t.paint(dim, l))
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
		for _, l := range termtext.Wrap(what, t.width()) {
			t.line("%s", t.paint(red, l))
		}
		for _, l := range lastLines(f.Output, 5) {
			t.line("%s", strings.TrimRight("    "+termtext.Fit(l, t.width()-4), " "))
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
		for i, part := range termtext.Wrap(l, t.width()-4) {
			if rest, ok := strings.CutPrefix(part, warning); ok && i == 0 {
				part = t.paint("33", warning) + rest
			}
			t.line("%s%s", strings.Repeat(" ", min(i, 1)*4), part)
		}
	}
	if len(all) > 0 {
		t.line("")
	}
}
