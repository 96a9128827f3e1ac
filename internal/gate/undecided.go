package gate

import "github.com/heapwright/heapwright/internal/result"

// Undecided reports whether a gate decided nothing. Such a gate would pass any change.
func (r *Result) Undecided() bool {
	return len(r.Broken) == 0 && len(r.Rows) > 0 && r.Count(Inconclusive) == len(r.Rows)
}

// Bounded reports whether there were enough blocks for an interval.
func (r Row) Bounded() bool { return r.Low > 0 && r.High < result.Infinite }
