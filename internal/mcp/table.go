package mcp

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"
)

// table is rows of cells, the first of which are their titles.
type table [][]string

// String aligns the cells, for a reader who counts columns by their edges.
func (t table) String() string {
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, row := range t {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.NewReplacer("\t", " ", "\n", " ").Replace(cell)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	w.Flush()
	lines := strings.Split(out.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
