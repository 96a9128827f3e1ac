package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/markdown"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

func markdownFiles(g *grid) []file {
	return []file{{"summary.md", g.markdown}}
}

// Markdown writes a summary fit for a pull-request comment: at most 65,536
// characters; it says how much it leaves out.
func Markdown(w io.Writer, doc *result.Document) error { return newGrid(doc).markdown(w) }

func (g *grid) markdown(w io.Writer) error {
	m := &markdown.Comment{}
	answer, figures := g.lead()
	m.Paragraph("### heapwright: " + markdown.Text(answer))
	m.Paragraph(fmt.Sprintf("%s: %s, against %s, %s%s.", markdown.Code(g.Target), markdown.Text(figures),
		markdown.Code(g.Baseline), format.Plural(g.Blocks, "block"), g.floor()))
	g.markdownModes(m)
	g.markdownTrouble(m)
	g.markdownEffects(m)
	m.Paragraph("How to repeat it, every sample and the plots: report.html. What a verdict promises: docs/method.md.")
	_, err := m.WriteTo(w)
	return err
}

// floor writes the noise floor of the primary metric.
func (g *grid) floor() string {
	if delta, ok := g.noise(sample.Primary); ok {
		return fmt.Sprintf(", noise floor ±%s of %s", format.Share(delta), title(sample.Primary))
	}
	return ""
}

func (g *grid) markdownModes(m *markdown.Comment) {
	var rows []string
	for _, mode := range g.candidates {
		s := g.summaries[mode]
		decision := markdown.Text(string(s.Decision))
		switch {
		case s.Failed != "" || decision == "":
			decision = "–"
		case s.Decision == verdict.Adopt:
			decision = "**" + decision + "**"
		}
		rows = append(rows, markdown.Row(decision, markdown.Code(mode), markdown.Text(g.headline(mode))))
	}
	m.Lines(markdown.Table("decision", "mode", "figures"), rows, "modes")
}

func (g *grid) markdownTrouble(m *markdown.Comment) {
	var rows []string
	for _, w := range g.Warnings {
		rows = append(rows, "- ⚠ "+markdown.Text(w))
	}
	m.Lines("", rows, "warnings")
	rows = nil
	for _, f := range g.Failures {
		last := strings.Join(strings.Fields(strings.Join(termtext.LastLines(f.Output, 5), " ⏎ ")), " ")
		rows = append(rows, markdown.Row(markdown.Code(f.Key.String()), markdown.Code(f.Mode), fmt.Sprint(f.Block),
			markdown.Text(f.Reason), markdown.Code(last)))
	}
	m.Lines(markdown.Table("failed run", "mode", "block:", "reason", "last output"), rows, "failed runs")
}

func (g *grid) markdownEffects(m *markdown.Comment) {
	if len(g.judged) == 0 {
		return
	}
	head := []string{"benchmark", "mode"}
	for _, metric := range g.judged {
		head = append(head, markdown.Text(title(metric))+":")
	}
	var rows []string
	for _, key := range g.benchmarks {
		for _, mode := range g.compared[key] {
			cells := []string{markdown.Code(key.String()), markdown.Code(mode)}
			for _, metric := range g.judged {
				e, ok := g.effects[cell{key, mode, metric}]
				cells = append(cells, effectCell(e, ok, metric == sample.Primary))
			}
			rows = append(rows, markdown.Row(cells...))
		}
	}
	m.Open("<details><summary>Every benchmark</summary>", "</details>")
	m.Lines(markdown.Table(head...), rows, "rows of benchmarks")
	m.Close()
	rows = nil
	for _, metric := range slices.Sorted(maps.Keys(g.Missing)) {
		rows = append(rows, "- not measured: "+markdown.Text(title(metric))+", "+markdown.Text(g.Missing[metric]))
	}
	m.Lines("", rows, "metrics that are missing")
}

func effectCell(e verdict.Effect, ok, full bool) string {
	switch {
	case !ok:
		return "–"
	case full:
		return markdown.Text(format.ChangeWithin(e.Ratio, e.Low, e.High) + " " +
			format.Interval(e.Low, e.High) + " " + judgement(e))
	case e.Verdict == verdict.Same:
		return "same"
	}
	return markdown.Text(format.Change(e.Ratio) + " " + string(e.Verdict))
}

// judgement is an effect's verdict and, if it is open, the number of blocks that would
// close it.
func judgement(e verdict.Effect) string {
	if more := toDecide(e); more != "" {
		return "inconclusive, " + more
	}
	return termtext.Harmless(string(e.Verdict))
}
