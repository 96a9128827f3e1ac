package report

import (
	"fmt"
	"io"

	"github.com/heapwright/heapwright/internal/gate"
)

// GateMarkdown writes the result of a gate as a pull-request comment: at most 65,536
// characters; it says how much it leaves out.
func GateMarkdown(w io.Writer, r *gate.Result, strict bool) error {
	m := &comment{limit: commentLimit}
	m.paragraph("### heapwright " + md(gateHeadline(r, strict)))
	m.paragraph(md(gateCounts(r)) + ".")
	if why := GateUndecided(r); why != "" {
		m.paragraph(md("Nothing was decided: " + why + "."))
	}
	var bad, good []string
	for _, e := range r.Rows {
		cells := row(string(e.Outcome), code(e.Key.String()), md(title(e.Metric)), md(gateFigures(e)))
		if e.Outcome == gate.Pass {
			good = append(good, cells)
		} else {
			bad = append(bad, cells)
		}
	}
	head := table("outcome", "benchmark", "metric", "change")
	m.lines(head, bad, "rows that did not pass")
	var sites []string
	for _, e := range r.Rows {
		for _, s := range e.Sites {
			sites = append(sites, fmt.Sprintf("- %s of %s: %s", md(title(e.Metric)), code(e.Key.String()), code(gateSite(e, s))))
		}
	}
	m.lines("The lines that grew, by the profiles of both sides:\n\n", sites, "lines that grew")
	var rest []string
	for _, f := range r.Broken {
		rest = append(rest, fmt.Sprintf("- %s no longer runs: %s", code(f.Key.String()), md(f.Reason)))
	}
	for _, l := range gateUnmatched(r) {
		rest = append(rest, "- "+md(l))
	}
	for _, warning := range r.Warnings {
		rest = append(rest, "- ⚠ "+md(warning))
	}
	m.lines("", rest, "remarks")
	if len(good) > 0 {
		m.open("<details><summary>What passed</summary>", "</details>")
		m.lines(head, good, "rows that passed")
		m.close()
	}
	return m.writeTo(w)
}
