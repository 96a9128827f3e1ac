package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/plain"
)

const (
	// columns is the width of the text: a log and a terminal side by side have it.
	columns     = 100
	maxFindings = 20 // the rest is in the JSON and HTML
	maxCalls    = 5  // of a path
)

// text writes lines and remembers the first error.
type text struct{ *bufio.Writer }

func (t text) line(format string, args ...any) {
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

func (t text) head(title string) { t.line("\n%s", strings.ToUpper(title)) }

// named writes a name and a text that may take several lines.
func (t text) named(name, s string) {
	const indent = 14
	for i, l := range plain.Wrap(s, columns-indent) {
		if i > 0 {
			name = ""
		}
		t.line("    %s%s", plain.Fit(name, indent-4), l)
	}
}

// Text writes a diagnosis for people: plain text, at most 100 columns wide.
func Text(w io.Writer, d *diagnose.Document) error {
	t := text{bufio.NewWriter(w)}
	t.findings(d)
	t.spending(d.CPU)
	t.holding(&d.Memory)
	t.sites(d)
	t.notes(d)
	return t.Flush()
}

// Finding writes one finding as Text does, with its rank.
func Finding(w *bufio.Writer, rank int, f *diagnose.Finding) { text{w}.finding(rank, f) }

func (t text) findings(d *diagnose.Document) {
	if len(d.Findings) == 0 {
		t.line("No findings.")
		return
	}
	t.line("%s, ranked by the most that each could save:", count(len(d.Findings), "finding"))
	for i := range d.Findings {
		if i == maxFindings {
			t.line("\n… and %d more in the JSON and HTML", len(d.Findings)-i)
			break
		}
		t.finding(i+1, &d.Findings[i])
	}
}

func (t text) finding(n int, f *diagnose.Finding) {
	t.line("\n%2d. %s", n, plain.Cut(fmt.Sprintf("%s · %s", f.Title, f.Rule), columns-4))
	saves := "what it saves is not known"
	if f.Ceiling() > 0 {
		saves = fmt.Sprintf("saves CPU %s, live heap %s", between(f.CPU), between(f.Memory))
	}
	t.line("    %s", plain.Cut(fmt.Sprintf("%s · confidence %s", saves, f.Confidence), columns-4))
	t.line("    %s", plain.CutLeft(where(f), columns-4))
	if f.Source != "" {
		t.line("      │ %s", plain.Cut(f.Source, columns-8))
	}
	if len(f.Path) > 0 {
		t.named("path", path(f.Path))
	}
	if f.Escape != "" {
		t.named("escapes", f.Escape)
	}
	if len(f.Evidence) > 0 {
		t.named("evidence", evidence(f.Evidence))
	}
	t.named("remedy", f.Remedy)
	for l := range strings.Lines(f.Example) {
		t.line("      │ %s", plain.Cut(strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "    "), columns-8))
	}
	if f.Risk != "" {
		t.named("risk", f.Risk)
	}
	if len(f.Others) > 0 {
		t.named("also", others(f.Others))
	}
}

// others names what else was found in a finding's line.
func others(all []diagnose.Finding) string {
	var s []string
	for i := range all {
		s = append(s, fmt.Sprintf("%s (%s of CPU)", all[i].Title, between(all[i].CPU)))
	}
	return strings.Join(s, "; ")
}

func where(f *diagnose.Finding) string {
	if f.File == "" {
		return "the whole program"
	}
	return fmt.Sprintf("%s:%d in %s", f.File, f.Line, short(f.Function))
}

func path(frames []diagnose.Frame) string {
	var names []string
	for _, f := range frames[:min(len(frames), maxCalls)] {
		names = append(names, short(f.Function))
	}
	s := strings.Join(names, " ← ")
	if len(frames) > maxCalls {
		s += " ← …"
	}
	return s
}

func evidence(all []diagnose.Figure) string {
	var s []string
	for _, f := range all {
		s = append(s, f.Name+" "+figure(f))
	}
	return strings.Join(s, ", ")
}

func (t text) notes(d *diagnose.Document) {
	if len(d.Notes) > 0 {
		t.head("Doubts")
	}
	for _, n := range d.Notes {
		t.bullet(n)
	}
	t.head("Sources")
	for _, s := range d.Sources {
		line := fmt.Sprintf("%-10s %7d stacks  ", s.Kind, s.Stacks)
		t.line("  %s%s", line, plain.CutLeft(s.Name, columns-2-len(line)))
	}
}

func (t text) bullet(s string) {
	for i, l := range plain.Wrap(s, columns-4) {
		t.line("  %s %s", map[bool]string{true: "·", false: " "}[i == 0], l)
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
