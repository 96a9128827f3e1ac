package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Outcome is a budget's judgement of an effect.
type Outcome string

const (
	Fail         Outcome = "fail"         // surely over the budget
	Excused      Outcome = "excused"      // over it, surely or perhaps, but within an exception
	Inconclusive Outcome = "inconclusive" // perhaps over it
	Pass         Outcome = "pass"         // surely within it
)

// order in which outcomes are shown.
var order = []Outcome{Fail, Inconclusive, Excused, Pass}

// Row is one metric of one benchmark, compared with its budget. Its MoreBlocks would
// decide about the budget.
type Row struct {
	verdict.Effect
	Limit     Limit      `json:"limit"`
	Outcome   Outcome    `json:"outcome"`
	Exception *Exception `json:"exception,omitempty"` // the exception that excuses it
	Sites     []Site     `json:"sites,omitempty"`     // the lines that it grew by, where both sides were profiled
}

// Result is the result of a gate.
type Result struct {
	Base     string           `json:"base"` // the two sides of the comparison, for people
	Head     string           `json:"head"`
	Rows     []Row            `json:"rows"` // the weightiest first
	OnlyBase []sample.Key     `json:"only_base,omitempty"`
	OnlyHead []sample.Key     `json:"only_head,omitempty"`
	Broken   []result.Failure `json:"broken,omitempty"` // benchmarks that run on the base and fail on the head
	Warnings []string         `json:"warnings,omitempty"`
}

// Count returns how many rows have an outcome.
func (r *Result) Count(o Outcome) int {
	n := 0
	for _, row := range r.Rows {
		if row.Outcome == o {
			n++
		}
	}
	return n
}

// Failed reports whether the change must not go in: a budget is exceeded, or a
// benchmark no longer runs. Strict counts inconclusive effects too.
func (r *Result) Failed(strict bool) bool {
	return r.Count(Fail) > 0 || len(r.Broken) > 0 || strict && r.Count(Inconclusive) > 0
}

// Check holds a document's effects against the budget. Its baseline is the
// base and its only other mode the head. It is an error that there is nothing
// to hold: such a gate would pass whatever the change does.
func Check(doc *result.Document, b *Budget) (*Result, error) {
	r := &Result{Base: doc.Baseline, Warnings: slices.Clone(doc.Warnings)}
	for _, m := range doc.Modes {
		if m.Name != doc.Baseline {
			r.Head = m.Name
		}
	}
	for _, e := range doc.Effects {
		if row, ok := b.check(e); ok {
			r.Rows = append(r.Rows, row)
		}
	}
	for _, u := range doc.Unmatched {
		if u.Mode == doc.Baseline {
			r.OnlyBase = append(r.OnlyBase, u.Key)
		} else {
			r.OnlyHead = append(r.OnlyHead, u.Key)
		}
	}
	base := []string{doc.Baseline, doc.Baseline + sample.ControlSuffix}
	for _, f := range doc.Failures {
		if !slices.Contains(base, f.Mode) && !slices.Contains(r.OnlyBase, f.Key) {
			r.breaks(f)
		}
	}
	if r.empty() {
		return nil, errors.New("nothing was compared: base and head have no benchmark in common that the budget limits; name others, or another revision with -base")
	}
	r.arrange(b, doc.Benchmarks)
	return r, nil
}

// breaks adds a benchmark that fails, once however often it did.
func (r *Result) breaks(f result.Failure) {
	if !slices.ContainsFunc(r.Broken, func(known result.Failure) bool { return known.Key == f.Key }) {
		r.Broken = append(r.Broken, f)
	}
}

// empty says that the result answers nothing.
func (r *Result) empty() bool { return len(r.Rows) == 0 && len(r.Broken) == 0 }

// arrange sorts the rows and names the entries of the budget that match nothing.
func (r *Result) arrange(b *Budget, measured []result.Benchmark) {
	slices.SortStableFunc(r.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(slices.Index(order, x.Outcome), slices.Index(order, y.Outcome)),
			cmp.Compare(y.worse(y.Low), x.worse(x.Low)))
	})
	r.Warnings = append(r.Warnings, r.idle(b, measured)...)
	slices.Sort(r.Warnings)
}

// idle lists entries of the budget that fit nothing, which are most often typos.
func (r *Result) idle(b *Budget, measured []result.Benchmark) []string {
	usual := Default().limits
	held := func(metric string) bool {
		_, ok := usual[metric]
		return ok || slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Metric == metric })
	}
	called := func(pattern string) bool {
		fits := func(k sample.Key) bool { return matches(pattern, k) }
		return slices.ContainsFunc(r.OnlyHead, fits) ||
			slices.ContainsFunc(measured, func(m result.Benchmark) bool { return fits(m.Key) })
	}
	var idle []string
	for _, o := range append([]override{{"", b.limits}}, b.benchmarks...) {
		for metric, l := range o.limits {
			if !l.Off && !held(metric) {
				idle = append(idle, fmt.Sprintf("the budget limits %s, which nothing reported", metric))
			}
		}
		if o.pattern != "" && !called(o.pattern) {
			idle = append(idle, fmt.Sprintf("the budget has an entry for %q, which fits no benchmark", o.pattern))
		}
	}
	for _, x := range b.exceptions {
		if !held(x.Metric) || !called(x.Benchmark) {
			idle = append(idle, fmt.Sprintf("the budget has an exception for %s of %q, which fits nothing",
				x.Metric, x.Benchmark))
		}
	}
	slices.Sort(idle)
	return slices.Compact(idle)
}

// Open counts the effects that are not decided, for an experiment that is to
// continue until the gate knows.
func (b *Budget) Open(effects []verdict.Effect) int {
	open := 0
	for _, e := range effects {
		if row, ok := b.check(e); ok && row.Outcome == Inconclusive && row.MoreBlocks < verdict.Hopeless {
			open++
		}
	}
	return open
}

// check holds one effect against its limit; false if it has none.
func (b *Budget) check(e verdict.Effect) (Row, bool) {
	limit, ok := b.limit(e.Key, e.Metric)
	if !ok {
		return Row{}, false
	}
	row := Row{Effect: e, Limit: limit}
	row.Outcome = row.against(limit.Grow)
	if x := b.exception(e.Key, e.Metric); x != nil && row.excusedBy(x) {
		row.Outcome, row.Exception = Excused, x
	}
	if row.MoreBlocks = 0; row.Outcome == Inconclusive {
		row.MoreBlocks = row.needed(e.MoreBlocks)
	}
	return row, true
}

// excusedBy reports whether an exception allows an effect that the budget does not
// surely allow. An effect that is surely over the budget is excused until it is
// surely over the exception as well.
func (r Row) excusedBy(x *Exception) bool {
	switch r.Outcome {
	case Fail:
		return r.against(x.Grow) != Fail
	case Inconclusive:
		return r.against(x.Grow) == Pass
	}
	return false
}

// against holds the interval against a growth.
func (r Row) against(grow float64) Outcome {
	limit := r.limit(grow)
	best, worst := r.worse(r.Low), r.worse(r.High)
	if best > worst { // more is better: its low end is the bad one
		best, worst = worst, best
	}
	switch {
	case best > limit:
		return Fail
	case worst <= limit:
		return Pass
	}
	return Inconclusive
}

// limit is the ratio above which a metric has grown too much.
func (r Row) limit(grow float64) float64 {
	switch {
	case r.Baseline > 0:
		return 1 + max(grow, r.Limit.Floor/r.Baseline)
	case r.Candidate <= r.Limit.Floor:
		return math.Inf(1) // it was nothing and is next to nothing
	}
	return 1 + grow
}

// worse turns a ratio so that above 1 is worse.
func (r Row) worse(ratio float64) float64 {
	if sample.Lookup(r.Metric).Better == sample.Higher {
		return 1 / ratio
	}
	return ratio
}

// needed forecasts further blocks: an interval narrows with the square root of
// their number, and has to end before the limit. first is the forecast of the
// blocks until there is an interval at all.
func (r Row) needed(first int) int {
	if !r.Bounded() {
		return max(first, 1)
	}
	width := math.Log(r.High/r.Low) / 2
	distance := math.Abs(math.Log(r.worse(r.Ratio) / r.limit(r.Limit.Grow)))
	total := float64(r.Blocks) * (width / distance) * (width / distance)
	if !(total < verdict.Hopeless) {
		return verdict.Hopeless
	}
	return max(int(math.Ceil(total))-r.Blocks, 1)
}
