package view

import (
	"io"
	"math"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Schema is the version of JSON's document. It changes when a field changes
// its meaning or goes.
const Schema = "heapwright.gate/1"

// JSON writes the result of a gate for programs. A bound that is not known is
// result.Infinite, since JSON has no infinity.
func JSON(w io.Writer, r *gate.Result, strict bool) error {
	out := struct {
		Schema    string `json:"schema"`
		Failed    bool   `json:"failed"`
		Undecided string `json:"undecided,omitempty"` // why nothing was decided, and what to do
		gate.Result
	}{Schema, r.Failed(strict), Undecided(r), *r}
	out.Rows = make([]gate.Row, len(r.Rows))
	for i, row := range r.Rows {
		for _, v := range []*float64{&row.Ratio, &row.Low, &row.High, &row.P, &row.Level, &row.Delta,
			&row.Baseline, &row.Candidate} {
			if math.IsInf(*v, 1) || math.IsNaN(*v) {
				*v = result.Infinite
			}
		}
		out.Rows[i] = row
	}
	return termtext.JSON(w, out)
}
