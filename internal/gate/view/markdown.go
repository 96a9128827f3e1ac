package view

import (
	"fmt"
	"io"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/markdown"
	"github.com/heapwright/heapwright/internal/sample"
)

// Markdown writes the result of a gate as a pull-request comment: at most 65,536
// characters; it says how much it leaves out.
func Markdown(w io.Writer, r *gate.Result, strict bool) error {
	m := &markdown.Comment{}
	m.Paragraph("### heapwright " + markdown.Text(headline(r, strict)))
	m.Paragraph(markdown.Text(counts(r)) + ".")
	if why := Undecided(r); why != "" {
		m.Paragraph(markdown.Text("Nothing was decided: " + why + "."))
	}
	var bad, good []string
	for _, e := range r.Rows {
		cells := markdown.Row(string(e.Outcome), markdown.Code(e.Key.String()),
			markdown.Text(sample.Lookup(e.Metric).Title), markdown.Text(figures(e)))
		if e.Outcome == gate.Pass {
			good = append(good, cells)
		} else {
			bad = append(bad, cells)
		}
	}
	head := markdown.Table("outcome", "benchmark", "metric", "change")
	m.Lines(head, bad, "rows that did not pass")
	var sites []string
	for _, e := range r.Rows {
		for _, s := range e.Sites {
			sites = append(sites, fmt.Sprintf("- %s of %s: %s", markdown.Text(sample.Lookup(e.Metric).Title),
				markdown.Code(e.Key.String()), markdown.Code(growth(e, s))))
		}
	}
	m.Lines("The lines that grew, by the profiles of both sides:\n\n", sites, "lines that grew")
	var rest []string
	for _, f := range r.Broken {
		rest = append(rest, fmt.Sprintf("- %s no longer runs: %s", markdown.Code(f.Key.String()),
			markdown.Text(f.Reason)))
	}
	for _, l := range unmatched(r) {
		rest = append(rest, "- "+markdown.Text(l))
	}
	for _, warning := range r.Warnings {
		rest = append(rest, "- ⚠ "+markdown.Text(warning))
	}
	m.Lines("", rest, "remarks")
	if len(good) > 0 {
		m.Open("<details><summary>What passed</summary>", "</details>")
		m.Lines(head, good, "rows that passed")
		m.Close()
	}
	_, err := m.WriteTo(w)
	return err
}
