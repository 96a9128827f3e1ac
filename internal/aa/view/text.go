// Package view shows a summary of A/A experiments.
package view

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/heapwright/heapwright/internal/aa"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/stats"
)

// Text writes a summary of A/A experiments as a Markdown table that reads well on
// a terminal too.
func Text(w io.Writer, s *aa.Summary) {
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(tw, "\tfiles\texperiments\tfalse winners\tCPU tests\tfalse claims\trate [95%]\tall metrics\t|Δ| median\t|Δ| p95\tδ median\tvisible effect\tblocks\ttime\t")
	fmt.Fprintln(tw, "\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t")
	for _, r := range s.Rows {
		if r.Experiments == 0 {
			continue
		}
		rate, low, high := r.FalseClaimRate()
		fmt.Fprintf(tw, "\t%s\t%d\t%d\t%d\t%d\t%s %s\t%d of %d\t%s\t%s\t%s\t%s\t%.0f\t%s\t\n",
			r.Placement, r.Experiments, r.Winners, r.Tests, r.FalseClaims,
			format.Share(rate), format.ShareInterval(low, high), r.AllClaims, r.AllTests,
			format.Share(quantile(r.Effects, 0.5)), format.Share(quantile(r.Effects, 0.95)),
			format.Share(quantile(r.Deltas, 0.5)), format.Share(quantile(r.Visible, 0.5)), quantile(r.Blocks, 0.5),
			format.Seconds(math.Round(quantile(r.Seconds, 0.5))))
	}
	tw.Flush()
	fmt.Fprintln(w,
		"\nvisible effect: half of all tests would have seen a change of CPU this large with this many blocks.")
}

// quantile returns a quantile of figures, NaN where there are none.
func quantile[T int | float64](figures []T, q float64) float64 {
	if len(figures) == 0 {
		return math.NaN()
	}
	x := make([]float64, len(figures))
	for i, v := range figures {
		x[i] = float64(v)
	}
	return stats.Quantile(x, q)
}
