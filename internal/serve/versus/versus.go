// Package versus compares two versions of a service that run at the same time, function
// by function.
//
// The stance: the processes are the sample, because a peculiarity of one process is no
// property of its version. A claim needs an interval that lies wholly beyond the noise
// floor, at a level that holds for all functions together. Costs that merely moved to
// another function, or that have gone again, are no regression.
package versus

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Process is one process during the comparison.
type Process struct {
	Profile *profile.Profile
	Work    float64 // requests in the time of the profile; 0 is not known
}

// Options of a comparison. The zero value is useful but for Column.
type Options struct {
	Column string  // the sample type: "cpu", "alloc_space"
	Floor  float64 // a smaller change is none, as a share of the service's cost; 0 is 1%
	Level  float64 // the chance of a false claim, over all functions together; 0 is 1%
}

// Comparison holds the differences between two versions in one column.
type Comparison struct {
	Column    string    `json:"column"`
	PerWork   bool      `json:"per_request"` // costs are per request; else most functions count as unchanged
	Before    int       `json:"before"`      // the number of processes
	After     int       `json:"after"`
	Functions int       `json:"functions"` // how many were compared
	Total     *Change   `json:"total,omitempty"`
	Changes   []*Change `json:"changes"` // not those that are the same; the largest first
}

// Change is the difference in the cost of one function. Costs are shares of the cost of
// the older version: 0.03 is 3% of all that its processes take, per request if that is
// known.
type Change struct {
	Function string          `json:"function"` // the newer version's name
	File     string          `json:"file,omitempty"`
	Line     int             `json:"line,omitempty"` // the line whose cost changed most
	Before   float64         `json:"before"`
	After    float64         `json:"after"`
	Low      float64         `json:"low"` // the interval of After-Before
	High     float64         `json:"high"`
	Verdict  verdict.Verdict `json:"verdict"`
	Moved    string          `json:"moved,omitempty"` // the function within which, or from which, the cost only moved
	Gone     bool            `json:"gone,omitempty"`  // it was there only at first

	row    int
	caller int // the row of the heaviest caller, -1 without one
}

// Effect returns After-Before.
func (c *Change) Effect() float64 { return c.After - c.Before }

// Confirmed reports whether a change is a regression.
func (c *Change) Confirmed() bool { return c.Verdict == verdict.Worse && c.Moved == "" && !c.Gone }

// ErrFew is the error of versions with too few processes for a claim.
var ErrFew = errors.New("too few processes")

// Compare compares the processes of two versions.
func Compare(before, after []Process, opts Options) (*Comparison, error) {
	opts.Floor, opts.Level = cmp.Or(opts.Floor, 0.01), cmp.Or(opts.Level, 0.01)
	if splits(len(before), len(after)) < 2/opts.Level {
		return nil, fmt.Errorf("%w: %d and %d; compare at least 5 with 5, 3 with 10, or 2 with 20",
			ErrFew, len(before), len(after))
	}
	all := slices.Concat(before, after)
	perWork := !slices.ContainsFunc(all, func(p Process) bool { return p.Work <= 0 })
	t, err := tallyOf(all, opts.Column)
	if err != nil {
		return nil, err
	}
	m := matrixOf(t, all, len(before), perWork)
	c := &Comparison{Column: opts.Column, PerWork: perWork,
		Before: len(before), After: len(after), Changes: []*Change{}}
	rows := m.atLeast(opts.Floor)
	c.Functions = len(rows)
	judged := rows
	if perWork {
		judged = append(slices.Clone(rows), m.total)
	}
	critical := m.critical(judged, opts.Level)
	judge := func(row int) *Change {
		d, se := m.difference(row, m.split)
		ch := &Change{row: row, caller: -1}
		ch.Before, ch.After = m.means(row)
		ch.Low, ch.High = d-critical*se, d+critical*se
		ch.Verdict = verdictOf(ch.Low, ch.High, opts.Floor)
		return ch
	}
	if perWork {
		c.Total = judge(m.total)
	}
	for _, row := range rows {
		if ch := judge(row); ch.Verdict != verdict.Same {
			ch.Function = t.names.text(row)
			c.Changes = append(c.Changes, ch)
		}
	}
	slices.SortStableFunc(c.Changes, func(a, b *Change) int {
		return cmp.Or(cmp.Compare(rank(a.Verdict), rank(b.Verdict)),
			cmp.Compare(math.Abs(b.Effect()), math.Abs(a.Effect())))
	})
	t.explain(m, c.Changes, all, critical)
	return c, nil
}

// rank sorts increases first and inconclusive changes last.
func rank(v verdict.Verdict) int {
	return slices.Index([]verdict.Verdict{verdict.Worse, verdict.Better, verdict.Inconclusive}, v)
}

func verdictOf(low, high, floor float64) verdict.Verdict {
	switch {
	case low > floor:
		return verdict.Worse
	case high < -floor:
		return verdict.Better
	case low >= -floor && high <= floor:
		return verdict.Same
	}
	return verdict.Inconclusive
}

// Settle marks the changes that the end of the same time does not show any more: the
// cost of a start is no property of a version.
func (c *Comparison) Settle(late *Comparison) {
	now := map[string]float64{}
	for _, ch := range late.Changes {
		now[ch.Function] = ch.Effect()
	}
	for _, ch := range c.Changes {
		ch.Gone = ch.Verdict == verdict.Worse && now[ch.Function] < ch.Effect()/2
	}
}
