package report

import (
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

func markdownFiles(g *grid) []file {
	return []file{{"summary.md", g.markdown}}
}

// commentLimit is the length of a GitHub comment in characters; here it is
// held in bytes, which are never fewer.
const commentLimit = 65_536

// Markdown writes a summary fit for a pull-request comment: at most 65,536
// characters; it says how much it leaves out.
func Markdown(w io.Writer, doc *result.Document) error { return newGrid(doc).markdown(w) }

func (g *grid) markdown(w io.Writer) error {
	m := &comment{limit: commentLimit}
	answer, figures := g.lead()
	m.paragraph("### heapwright: " + md(answer))
	m.paragraph(fmt.Sprintf("%s: %s, against %s, %s%s.", code(g.Target), md(figures), code(g.Baseline), format.Plural(g.Blocks, "block"), g.floor()))
	g.markdownModes(m)
	g.markdownTrouble(m)
	g.markdownEffects(m)
	m.paragraph("How to repeat it, every sample and the plots: report.html. What a verdict promises: docs/method.md.")
	return m.writeTo(w)
}

// floor tells the noise floor of the primary metric.
func (g *grid) floor() string {
	if delta, ok := g.noise(sample.Primary); ok {
		return fmt.Sprintf(", noise floor ±%s of %s", format.Share(delta), title(sample.Primary))
	}
	return ""
}

func (g *grid) markdownModes(m *comment) {
	var rows []string
	for _, mode := range g.candidates {
		s := g.summaries[mode]
		decision := md(string(s.Decision))
		switch {
		case s.Failed != "" || decision == "":
			decision = "–"
		case s.Decision == verdict.Adopt:
			decision = "**" + decision + "**"
		}
		rows = append(rows, row(decision, code(mode), md(g.headline(mode))))
	}
	m.lines(table("decision", "mode", "figures"), rows, "modes")
}

func (g *grid) markdownTrouble(m *comment) {
	var rows []string
	for _, w := range g.Warnings {
		rows = append(rows, "- ⚠ "+md(w))
	}
	m.lines("", rows, "warnings")
	rows = nil
	for _, f := range g.Failures {
		last := strings.Join(strings.Fields(strings.Join(lastLines(f.Output, 5), " ⏎ ")), " ")
		rows = append(rows, row(code(f.Key.String()), code(f.Mode), fmt.Sprint(f.Block), md(f.Reason), code(last)))
	}
	m.lines(table("failed run", "mode", "block:", "reason", "last output"), rows, "failed runs")
}

func (g *grid) markdownEffects(m *comment) {
	if len(g.judged) == 0 {
		return
	}
	head := []string{"benchmark", "mode"}
	for _, metric := range g.judged {
		head = append(head, md(title(metric))+":")
	}
	var rows []string
	for _, key := range g.benchmarks {
		for _, mode := range g.compared[key] {
			cells := []string{code(key.String()), code(mode)}
			for _, metric := range g.judged {
				e, ok := g.effects[cell{key, mode, metric}]
				cells = append(cells, effectCell(e, ok, metric == sample.Primary))
			}
			rows = append(rows, row(cells...))
		}
	}
	m.open("<details><summary>Every benchmark</summary>", "</details>")
	m.lines(table(head...), rows, "rows of benchmarks")
	m.close()
	rows = nil
	for _, metric := range slices.Sorted(maps.Keys(g.Missing)) {
		rows = append(rows, "- not measured: "+md(title(metric))+", "+md(g.Missing[metric]))
	}
	m.lines("", rows, "metrics that are missing")
}

func effectCell(e verdict.Effect, ok, full bool) string {
	switch {
	case !ok:
		return "–"
	case full:
		return md(format.ChangeWithin(e.Ratio, e.Low, e.High) + " " + interval(e) + " " + judgement(e))
	case e.Verdict == verdict.Same:
		return "same"
	}
	return md(format.Change(e.Ratio) + " " + string(e.Verdict))
}

// judgement is an effect's verdict and, if it is open, the number of blocks that would
// close it.
func judgement(e verdict.Effect) string {
	if more := toDecide(e); more != "" {
		return "inconclusive, " + more
	}
	return termtext.Harmless(string(e.Verdict))
}

// table begins a table; a column whose title ends in a colon is of numbers.
func table(titles ...string) string {
	rules := slices.Clone(titles)
	for i, t := range titles {
		rules[i] = "---"
		if cut, ok := strings.CutSuffix(t, ":"); ok {
			titles[i], rules[i] = cut, "--:"
		}
	}
	return row(titles...) + "\n" + row(rules...) + "\n"
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// md makes text plain in Markdown and in the HTML within it, and keeps it from
// notifying people or linking issues: an empty comment after @ and # does that.
func md(s string) string {
	var b strings.Builder
	for _, r := range short(termtext.Harmless(s), 400) {
		switch {
		case strings.ContainsRune(`<>&"`, r):
			b.WriteString(html.EscapeString(string(r)))
		case strings.ContainsRune("\\`*_[]|~$", r):
			b.WriteString("\\" + string(r))
		case r == '@' || r == '#':
			b.WriteString(string(r) + "<!-- -->")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// code sets text as code. A backtick would end it and a pipe the table's cell,
// so that HTML's element serves, not Markdown's mark.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + md(s) + "</code>"
}
