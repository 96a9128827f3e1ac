package view

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/termtext"
)

const (
	// columns is the width of the text. Half of a wide screen has room for it.
	columns     = 100
	maxFindings = 20 // the rest is in the JSON and HTML
	maxCalls    = 5  // calls of a path
	maxSources  = 8  // sources of a kind
)

// text writes lines and remembers the first error.
type text struct{ *bufio.Writer }

func (t text) line(format string, args ...any) {
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

func (t text) head(title string) { t.line("\n%s", strings.ToUpper(title)) }

// named writes a name, and beside it a text in as many lines as it needs.
func (t text) named(name, s string) {
	const indent = 14
	for i, l := range termtext.Wrap(s, columns-indent) {
		if i > 0 {
			name = ""
		}
		t.line("    %s%s", termtext.Fit(name, indent-4), l)
	}
}

// Text writes a diagnosis for people: plain text, at most 100 columns wide.
func Text(w io.Writer, d *diagnose.Document) error {
	t := text{bufio.NewWriter(w)}
	t.findings(d)
	t.spending(d.CPU)
	t.production(d.Production)
	t.holding(&d.Memory)
	t.goroutines(d.Goroutines)
	t.sites(d)
	t.notes(d)
	return t.Flush()
}

// Finding writes one finding as Text does, with its rank.
func Finding(w *bufio.Writer, rank int, f *rules.Finding) { text{w}.finding(rank, f) }

func (t text) findings(d *diagnose.Document) {
	if len(d.Findings) == 0 {
		t.line("No findings.")
		return
	}
	t.line("%s, ranked by the most that each could save:", format.Plural(len(d.Findings), "finding"))
	for i := range d.Findings {
		if i == maxFindings {
			t.line("\n… and %d more in the JSON and HTML", len(d.Findings)-i)
			break
		}
		t.finding(i+1, &d.Findings[i])
	}
}

func (t text) finding(n int, f *rules.Finding) {
	// The head has all that decides whether to read on: the fault, its gain and its line.
	t.line("\n%2d. %s", n, termtext.Cut(fmt.Sprintf("%s · %s", f.Title, f.Rule), columns-4))
	saves := "what it saves is not known"
	if f.Ceiling() > 0 {
		saves = fmt.Sprintf("saves CPU %s, live heap %s", saving(f.CPU), saving(f.Memory))
		if f.Resident.High > 0 {
			saves = "saves resident memory " + saving(f.Resident)
		}
	}
	t.line("    %s", termtext.Cut(fmt.Sprintf("%s · confidence %s", saves, f.Confidence), columns-4))
	t.line("    %s", where(f, columns-4))
	if f.Source != "" {
		t.line("      │ %s", termtext.Cut(f.Source, columns-8))
	}
	// Then the reasons to believe it.
	if len(f.Path) > 0 {
		t.named("path", path(f.Path, columns-14))
	}
	if f.Escape != "" {
		t.named("escapes", termtext.Cut(f.Escape, 3*columns)) // it may name a type of any length
	}
	if len(f.Evidence) > 0 {
		t.named("evidence", figures(f.Evidence))
	}
	if f.Price != nil {
		t.named("price", priced(f.Price))
	}
	// Then the remedy, as code wherever there is any.
	t.library(f.Library)
	if f.Callee != nil {
		if v := versions([]rules.LibraryLine{*f.Callee}); v != "" {
			t.named("library", v)
		}
	}
	t.named("remedy", f.Remedy)
	if f.Patch != "" {
		t.named("change", "by the check "+f.Check+", type-checked in place:")
		_, hunks, _ := strings.Cut(f.Patch, "\n@@")
		for l := range strings.Lines("@@" + hunks) {
			t.line("      │ %s", termtext.Cut(strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "    "), columns-8))
		}
	}
	if f.Example != "" {
		t.named("example", "of other code:")
	}
	for l := range strings.Lines(f.Example) {
		t.line("      │ %s", termtext.Cut(strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "    "), columns-8))
	}
	if f.Risk != "" {
		t.named("risk", f.Risk)
	}
	if len(f.Others) > 0 {
		t.named("also", others(f))
	}
}

// priced describes the measured price of a line.
func priced(p *rules.Price) string {
	var s []string
	if saves, ok := p.Saves(); ok {
		s = append(s, "a remedy saves "+saving(saves)+" of CPU")
	}
	if change := p.Patch; change != nil && change.Why == "" {
		s = append(s, fmt.Sprintf("the change saves %s in %s", priceOf(change), format.Plural(change.Blocks, "block")))
	} else if change != nil {
		s = append(s, "the change was not measured: "+change.Why)
	}
	if p.Why == "" {
		s = append(s, fmt.Sprintf("the expression costs %s, by executing it %s more in %s", priceOf(p),
			format.Plural(int(p.Times), "time"), format.Plural(p.Blocks, "block")))
	} else {
		s = append(s, "of the expression not measured: "+p.Why)
	}
	if p.Memory != nil && p.Memory.Why == "" {
		s = append(s, priceOf(p.Memory)+" for its memory alone")
	}
	return strings.Join(s, "; ")
}

func priceOf(p *rules.Price) string {
	return format.Share(max(p.CPU, 0)) + " of CPU " + format.ShareInterval(p.Low, p.High)
}

// others lists the other findings in the line of a finding.
func others(f *rules.Finding) string {
	var s []string
	for i := range f.Others {
		o := &f.Others[i]
		title := termtext.Cut(o.Title, columns)
		if o.Line != f.Line {
			title = fmt.Sprintf("line %d", o.Line)
		}
		cost := saving(o.CPU) + " of CPU"
		if o.Price != nil && (o.Price.Why == "" || o.Price.Memory != nil) {
			cost = "price " + priced(o.Price)
		}
		s = append(s, fmt.Sprintf("%s (%s)", title, cost))
	}
	return strings.Join(s, "; ")
}

func where(f *rules.Finding, columns int) string {
	if f.File == "" {
		return "the whole program"
	}
	return lineIn(f.File, f.Line, f.Function, columns)
}

// lineIn formats a line of code. If the text is too long, it cuts the function before the
// file, because the file is needed to find the line.
func lineIn(file string, line int, function string, columns int) string {
	at := fmt.Sprintf("%s:%d in ", termtext.Harmless(file), line)
	room := max(columns-utf8.RuneCountInString(at), leastFunction)
	return termtext.CutLeft(at+termtext.CutLeft(profile.ShortName(function), room), columns)
}

// leastFunction is the number of columns in which names of functions usually differ.
const leastFunction = 12

// path formats the innermost calls, each in at most the given number of columns.
func path(frames []evidence.Frame, columns int) string {
	var names []string
	for _, f := range frames[:min(len(frames), maxCalls)] {
		names = append(names, termtext.CutLeft(profile.ShortName(f.Function), columns))
	}
	s := strings.Join(names, " ← ")
	if len(frames) > maxCalls {
		s += " ← …"
	}
	return s
}

func figures(all []rules.Figure) string {
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
	kinds := map[evidence.Kind]int{}
	for _, s := range d.Sources {
		if kinds[s.Kind]++; kinds[s.Kind] > maxSources {
			continue
		}
		line := fmt.Sprintf("%-10s %7d stacks  ", s.Kind, s.Stacks)
		t.line("  %s%s", line, termtext.CutLeft(s.Name, columns-2-len(line)))
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if n := kinds[kind] - maxSources; n > 0 {
			t.line("  … and %d more of kind %s in the JSON and HTML", n, kind)
		}
	}
}

func (t text) bullet(s string) {
	for i, l := range termtext.Wrap(termtext.Middle(s), columns-4) {
		t.line("  %s %s", map[bool]string{true: "·", false: " "}[i == 0], l)
	}
}
