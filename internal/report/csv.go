package report

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
)

func csvFiles(g *grid) []file {
	return []file{{"results.csv", g.csv}}
}

// CSV writes a row for every sample, with its run, its metric and its value in the metric's
// unit. Rows that are not timed come from probe runs.
func CSV(w io.Writer, doc *result.Document) error { return newGrid(doc).csv(w) }

func (g *grid) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"package", "benchmark", "mode", "block", "metric", "unit", "value", "timed"})
	for _, part := range []struct {
		runs  []sample.Run
		timed string
	}{{g.Runs, "true"}, {g.Untimed, "false"}} {
		for _, r := range part.runs {
			for _, metric := range inOrder(maps.Keys(r.Values)) {
				out.Write([]string{
					spreadsheet(r.Package), spreadsheet(r.Benchmark), spreadsheet(r.Mode),
					strconv.Itoa(r.Block), spreadsheet(metric), spreadsheet(format.Unit(metric)),
					strconv.FormatFloat(r.Values[metric], 'g', -1, 64), part.timed,
				})
			}
		}
	}
	out.Flush()
	return out.Error()
}

// formulas are the characters that make a spreadsheet run a cell's text
// (owasp.org/www-community/attacks/CSV_Injection).
var formulas = []byte("=+-@")

// spreadsheet makes text safe in a cell. It removes control characters, and puts an
// apostrophe before a text that a spreadsheet would take for a formula.
func spreadsheet(s string) string {
	s = termtext.Harmless(s)
	if s != "" && slices.Contains(formulas, s[0]) {
		return "'" + s
	}
	return s
}
