// Package aa sums up experiments in which a mode was compared with itself.
//
// Every claim in such an experiment is false. The frequency of claims, and the
// size that an effect would need to be seen, show how far to trust compare on the
// same machine.
package aa

import (
	"io"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
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

// Row holds the results of the experiments of one placement.
type Row struct {
	Placement   string    `json:"placement"`
	Experiments int       `json:"experiments"`
	Winners     int       `json:"winners"`      // experiments that would adopt or reject the mode
	Tests       int       `json:"tests"`        // effects on CPU, the primary metric
	FalseClaims int       `json:"false_claims"` // tests called better or worse
	AllTests    int       `json:"all_tests"`    // effects on all judged metrics
	AllClaims   int       `json:"all_claims"`
	Effects     []float64 `json:"effects"` // |Δ| of CPU, as shares
	Deltas      []float64 `json:"deltas"`  // δ of CPU
	Visible     []float64 `json:"visible"` // the smallest effect each test could have seen
	Blocks      []int     `json:"blocks"`  // blocks each experiment took
	Seconds     []float64 `json:"seconds"` // time each experiment took, where it is known
}

// Claim is one false claim.
type Claim struct {
	Placement string         `json:"placement"`
	Sitting   int            `json:"sitting"`
	Effect    verdict.Effect `json:"effect"`
}

// PlaceName returns the name of a placement in the JSON form.
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
	if took, known := doc.Took(); known {
		row.Seconds = append(row.Seconds, took.Seconds())
	}
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
	return result.Replace(file, func(w io.Writer) error { return termtext.JSON(w, s) })
}

// FalseClaimRate returns the share of CPU tests with a false claim and its 95%
// interval.
func (r *Row) FalseClaimRate() (rate, low, high float64) {
	low, high = wilson(r.FalseClaims, r.Tests)
	return share(r.FalseClaims, r.Tests), low, high
}

func share(k, n int) float64 { return float64(k) / float64(max(n, 1)) }

// wilson returns the 95% score interval of a share, k of n (Wilson 1927).
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
