package profile

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Merger adds profiles up: samples with equal stacks and labels become one. It
// holds distinct samples and one profile at a time, so any number of profiles
// may pass through it. It serves one goroutine.
//
// The header follows google/pprof: the earliest time, the longest period, the
// sum of durations, every comment once, the rest from the first profile that
// says it. Samples that are 0 in every column are left out.
type Merger struct {
	decoder *Decoder
	in, out Profile
	rows    table[uint32] // stack and labels of each row, counted from 1
	follow  trail[uint32] // the trail of rows
	columns []int         // column of out → column of in
}

// NewMerger returns a Merger that decodes with the options but always rebases.
func NewMerger(opts Options) *Merger {
	opts.Rebase = true
	return &Merger{decoder: NewDecoder(opts)}
}

// MergeFiles merges profiles from files with default options.
func MergeFiles(names ...string) (*Profile, error) {
	m := NewMerger(Options{})
	for _, name := range names {
		if err := m.AddFile(name); err != nil {
			return nil, err
		}
	}
	return m.Profile()
}

// AddFile decodes a file and adds it. After an error the sum is as before.
func (m *Merger) AddFile(name string) error {
	f, err := m.decoder.opts.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return m.Decode(name, f)
}

// Decode decodes a profile and adds it; see Decoder.Decode.
func (m *Merger) Decode(name string, r io.Reader) error {
	if err := m.decoder.decode(&m.in, name, r); err != nil {
		return err
	}
	return m.add(&m.in, 1)
}

// Add adds a profile that was decoded into the Merger's Dict. Where the profiles
// come from several processes, that should have been done with Options.Rebase.
func (m *Merger) Add(p *Profile) error { return m.add(p, 1) }

func (m *Merger) add(p *Profile, sign int64) error {
	if p.Dict != m.decoder.opts.Dict {
		return fmt.Errorf("profile %q has another dictionary than the one it is merged into; decode both into one",
			p.Name)
	}
	if err := m.addHeader(p); err != nil {
		return err
	}
	out := &m.out
	m.follow.start(&m.rows)
	for row, stack := range p.Stacks {
		if row%checkEvery == 0 {
			if err := m.fits(p); err != nil {
				return err
			}
		}
		if p.isZero(row) {
			continue
		}
		at := int(m.follow.intern([]uint32{uint32(stack), uint32(p.Labels[row])})) - 1
		if at == len(out.Stacks) {
			out.Stacks = append(out.Stacks, stack)
			out.Labels = append(out.Labels, p.Labels[row])
			for t := range out.Values {
				out.Values[t] = append(out.Values[t], 0)
			}
		}
		for t, from := range m.columns {
			out.Values[t][at] += sign * p.Values[from][row]
		}
	}
	return nil
}

// fits returns an error if the sum so far and the profile that is being added exceed
// the limit of memory.
func (m *Merger) fits(p *Profile) error {
	limit := m.decoder.parser.limit
	if m.out.columns()+m.rows.memory()+m.follow.memory()+p.columns()+p.Dict.memory()+m.decoder.opts.Held > limit {
		return fmt.Errorf("profile %q: %w", p.Name, tooMuch(limit))
	}
	return nil
}

// Profile returns the sum so far. The Merger may continue.
func (m *Merger) Profile() (*Profile, error) {
	if m.out.Dict == nil {
		return nil, errors.New("no profiles to merge; name at least one")
	}
	return m.out.withoutZeros(), nil
}

// withoutZeros returns a copy that shares p's header and dictionary.
func (p *Profile) withoutZeros() *Profile {
	q := *p
	q.file, q.Stacks, q.Labels, q.Values = nil, nil, nil, make([][]int64, len(p.Values))
	for row := range p.Stacks {
		if p.isZero(row) {
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

func (p *Profile) isZero(row int) bool {
	for _, column := range p.Values {
		if column[row] != 0 {
			return false
		}
	}
	return true
}

// Diff returns p - base, sample by sample. Both must share a Dict, and for
// profiles from different processes one filled with Options.Rebase. Samples that
// did not change are left out.
func Diff(p, base *Profile) (*Profile, error) {
	m := &Merger{decoder: NewDecoder(Options{Dict: p.Dict})}
	if err := m.add(p, 1); err != nil {
		return nil, err
	}
	if err := m.add(base, -1); err != nil {
		return nil, err
	}
	m.out.TimeNanos, m.out.DurationNanos = p.TimeNanos, p.DurationNanos
	m.out.Comments = slices.Clone(p.Comments)
	return m.Profile()
}
