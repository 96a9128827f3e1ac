// Package aa sums up experiments in which a mode was compared with itself.
//
// Every claim in such an experiment is false; how often that happens, and how
// large an effect would have had to be to be seen, is what a user may expect
// of compare on the same machine.
package aa

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Schema is the version of the JSON form of Summary.
const Schema = "heapwright.aa/1"

// Summary adds up A/A experiments, apart for each placement of the files.
type Summary struct {
	Schema string  `json:"schema"`
	Rows   []*Row  `json:"placements"`
	Claims []Claim `json:"claims"` // every false claim, to be looked at
}

// Row is what the experiments of one placement showed.
type Row struct {
	Placement   string    `json:"placement"`
	Experiments int       `json:"experiments"`
	Winners     int       `json:"winners"`      // experiments that would adopt or reject the mode
	Tests       int       `json:"tests"`        // effects on CPU, the primary metric
	FalseClaims int       `json:"false_claims"` // of these, called better or worse
	AllTests    int       `json:"all_tests"`    // effects on all judged metrics
	AllClaims   int       `json:"all_claims"`
	Effects     []float64 `json:"effects"` // |Δ| of CPU, as shares
	Deltas      []float64 `json:"deltas"`  // δ of CPU
	Visible     []float64 `json:"visible"` // the smallest effect each test could have seen
	Blocks      []int     `json:"blocks"`  // blocks each experiment took
	Seconds     []float64 `json:"seconds"` // time each experiment took
}

// Claim is one false claim.
type Claim struct {
	Placement string         `json:"placement"`
	Sitting   int            `json:"sitting"`
	Effect    verdict.Effect `json:"effect"`
}

// PlaceName says in words which files the arms run.
func PlaceName(p experiment.Placement) string {
	switch p {
	case experiment.Same:
		return "identical file"
	case experiment.Fixed:
		return "copies that stay"
	}
	return "fresh copies"
}

// NewSummary returns a Summary with a row for each placement.
func NewSummary(places []experiment.Placement) *Summary {
	s := &Summary{Schema: Schema, Claims: []Claim{}}
	for _, p := range places {
		s.Rows = append(s.Rows, &Row{Placement: PlaceName(p)})
	}
	return s
}

// Experiments returns how many experiments were added.
func (s *Summary) Experiments() (n int) {
	for _, r := range s.Rows {
		n += r.Experiments
	}
	return n
}

// Add adds one experiment.
func (s *Summary) Add(p experiment.Placement, sitting int, doc *result.Document) {
	i := slices.IndexFunc(s.Rows, func(r *Row) bool { return r.Placement == PlaceName(p) })
	row := s.Rows[i]
	row.Experiments++
	row.Blocks = append(row.Blocks, doc.Blocks)
	row.Seconds = append(row.Seconds, doc.Finished.Sub(doc.Started).Seconds())
	for _, m := range doc.Summaries {
		if m.Decision == verdict.Adopt || m.Decision == verdict.Reject {
			row.Winners++
		}
	}
	for _, f := range doc.Effects {
		claim := f.Verdict == verdict.Better || f.Verdict == verdict.Worse
		row.AllTests++
		if claim {
			row.AllClaims++
			s.Claims = append(s.Claims, Claim{row.Placement, sitting + 1, f})
		}
		if f.Metric != sample.Primary {
			continue
		}
		row.Tests++
		if claim {
			row.FalseClaims++
		}
		row.Effects = append(row.Effects, math.Abs(f.Ratio-1))
		row.Deltas = append(row.Deltas, f.Delta)
		if half := (f.High - f.Low) / 2; !math.IsInf(half, 0) {
			row.Visible = append(row.Visible, f.Delta+half)
		}
	}
}

// Save writes the summary as JSON.
func (s *Summary) Save(file string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

// Print writes the summary for people, as a Markdown table that reads well
// on a terminal too.
func (s *Summary) Print(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(tw, "\tfiles\texperiments\tfalse winners\tCPU tests\tfalse claims\trate [95 %]\tall metrics\t|Δ| median\t|Δ| p95\tδ median\tvisible effect\tblocks\ttime\t")
	fmt.Fprintln(tw, "\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t---\t")
	for _, r := range s.Rows {
		if r.Experiments == 0 {
			continue
		}
		low, high := wilson(r.FalseClaims, r.Tests)
		fmt.Fprintf(tw, "\t%s\t%d\t%d\t%d\t%d\t%s [%s, %s]\t%d of %d\t%s\t%s\t%s\t%s\t%.0f\t%v\t\n",
			r.Placement, r.Experiments, r.Winners, r.Tests, r.FalseClaims,
			percent(share(r.FalseClaims, r.Tests)), percent(low), percent(high), r.AllClaims, r.AllTests,
			percent(quantile(r.Effects, 0.5)), percent(quantile(r.Effects, 0.95)), percent(quantile(r.Deltas, 0.5)),
			percent(quantile(r.Visible, 0.5)), quantile(floats(r.Blocks), 0.5),
			time.Duration(quantile(r.Seconds, 0.5)*float64(time.Second)).Round(time.Second))
	}
	tw.Flush()
	fmt.Fprintln(w, "\nvisible effect: half of all tests would have seen a change of CPU this large with this many blocks.")
}

// Short says in a few words what the row holds so far.
func (r *Row) Short() string {
	return fmt.Sprintf("%d of %d tests claim a difference, %d of %d experiments a winner", r.FalseClaims, r.Tests, r.Winners, r.Experiments)
}

func share(k, n int) float64 { return float64(k) / float64(max(n, 1)) }

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

func floats(in []int) []float64 {
	out := make([]float64, len(in))
	for i, x := range in {
		out[i] = float64(x)
	}
	return out
}

func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return stats.Quantile(x, q)
}

// wilson returns the 95 % score interval of a share, k of n (Wilson 1927).
func wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964 // standard normal, 97.5th percentile
	p, m := share(k, n), float64(n)
	mid := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return (mid - half) / (1 + z*z/m), (mid + half) / (1 + z*z/m)
}
