package view

import (
	"io"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/tune"
)

// JSON writes a tuning. The field schema has the version of the format. Experiments have
// the same format as in report.json.
func JSON(w io.Writer, d *tune.Document) error {
	out := *d
	if out.Modes != nil {
		out.Modes = result.Finite(out.Modes)
	}
	out.Between = nil
	for _, doc := range d.Between {
		out.Between = append(out.Between, result.Finite(doc))
	}
	if out.Final != nil {
		out.Final = result.Finite(out.Final)
	}
	return termtext.JSON(w, &out)
}
