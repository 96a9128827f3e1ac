package profile

import (
	"regexp"
	"slices"
	"time"
)

// Filter selects profiles by time and samples by label. The zero Filter keeps
// everything.
type Filter struct {
	// From and To keep profiles recorded at least partly in [From, To); a zero
	// time leaves that end open. A profile that does not say when it was taken
	// is kept only if both are zero.
	From, To time.Time
	// Labels tells by a sample's labels whether to keep it; nil keeps all. It
	// is asked once for each distinct set.
	Labels func([]Label) bool
}

// Apply returns the samples that pass, as a profile of its own.
func (f Filter) Apply(p *Profile) *Profile {
	keep := f.rows(p)
	if keep == nil {
		return p
	}
	return p.Select(keep)
}

// rows returns a function that tells whether a row passes; nil if all do.
func (f Filter) rows(p *Profile) func(row int) bool {
	if !f.inTime(p) {
		return func(int) bool { return false }
	}
	if f.Labels == nil {
		return nil
	}
	known := map[LabelsID]bool{}
	return func(row int) bool {
		id := p.Labels[row]
		keep, ok := known[id]
		if !ok {
			keep = f.Labels(p.Dict.Labels(id))
			known[id] = keep
		}
		return keep
	}
}

func (f Filter) inTime(p *Profile) bool {
	if f.From.IsZero() && f.To.IsZero() {
		return true
	}
	start, ok := p.Start()
	if !ok {
		return false
	}
	end := start.Add(time.Duration(max(0, p.DurationNanos)))
	return (f.To.IsZero() || start.Before(f.To)) && (f.From.IsZero() || !end.Before(f.From))
}

// TextLabel keeps samples that have a text label of the key that matches.
func TextLabel(key string, value *regexp.Regexp) func([]Label) bool {
	return func(set []Label) bool {
		return slices.ContainsFunc(set, func(l Label) bool {
			return !l.Numeric && l.Key == key && value.MatchString(l.Text)
		})
	}
}

// NumberLabel keeps samples that have a number label of the key in [low, high].
func NumberLabel(key string, low, high int64) func([]Label) bool {
	return func(set []Label) bool {
		return slices.ContainsFunc(set, func(l Label) bool {
			return l.Numeric && l.Key == key && low <= l.Number && l.Number <= high
		})
	}
}

// Select returns the samples for which keep is true, with p's header and
// dictionary.
func (p *Profile) Select(keep func(row int) bool) *Profile {
	q := *p
	q.file, q.Stacks, q.Labels, q.Values = nil, nil, nil, make([][]int64, len(p.Values))
	for row := range p.Stacks {
		if !keep(row) {
			continue
		}
		q.Stacks = append(q.Stacks, p.Stacks[row])
		q.Labels = append(q.Labels, p.Labels[row])
		for t, column := range p.Values {
			q.Values[t] = append(q.Values[t], column[row])
		}
	}
	return &q
}
