package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"go.etcd.io/bbolt"
)

// ErrNone is the error for a query that no profile answers.
var ErrNone = errors.New("no such profile in this time")

// Read returns the profile of an entry, over a dictionary of its own.
func (s *Local) Read(ctx context.Context, e Entry) (*profile.Profile, error) {
	var raw []byte
	err := s.read(ctx, e.Time, e.Time, func(d *day, tx *bbolt.Tx) error {
		return s.blocks(d, tx, e.Service, func(k *block, b *bbolt.Bucket) error {
			if k.gen != e.gen {
				return nil
			}
			f, err := k.readFrame(b, e.at, nil)
			if err != nil {
				return err
			}
			p, err := k.words.profile(f)
			if err != nil {
				return err
			}
			raw, err = encoded(p)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, fmt.Errorf("%s %s: %w", e.Service, e.Kind, ErrNone)
	}
	return profile.NewDecoder(profile.Options{MaxBytes: s.merged()}).DecodeBytes(e.Service+" "+e.Kind, raw)
}

// merged is the limit of a decoder for a sum, which takes three eighths of it. The other
// half of a query's memory is for the columns.
func (s *Local) merged() int64 { return s.opts.Query / 2 * 8 / 3 }

// Merge adds the profiles of a query up. Profiles over a time are summed. Of snapshots,
// each process counts with its last one, so the sum is the state at the end of the
// window; their columns that only grow, such as alloc_space, count with their growth
// in the window, and a process that restarted counts from zero again. The first
// snapshot of a process in the window is only the start of that. Snapshots of the kind
// HeapDelta count these columns from the one before, so all are summed. Profiles that are
// damaged are left out, and a comment of the sum says how many.
func (s *Local) Merge(ctx context.Context, q Query) (*profile.Profile, error) {
	for {
		before := s.rewritten()
		p, err := s.merge(ctx, q)
		if s.rewritten() == before || ctx.Err() != nil {
			return p, err
		}
	}
}

func (s *Local) rewritten() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rewrites
}

func (s *Local) merge(ctx context.Context, q Query) (*profile.Profile, error) {
	entries, err := s.Select(ctx, q)
	if err != nil {
		return nil, err
	}
	m := profile.NewMerger(profile.Options{MaxBytes: s.merged()})
	var damage []error
	var large error
	merged := 0
	parts := plan(entries)
	err = s.read(ctx, q.From, q.To, func(d *day, tx *bbolt.Tx) error {
		return s.blocks(d, tx, q.Service, func(k *block, b *bbolt.Bucket) error {
			sum := sum{block: k, bucket: b, known: map[uint32]lastFrame{}, room: s.opts.Query / 2}
			for _, p := range parts[place{d.name, k.gen}] {
				if err := ctx.Err(); err != nil {
					return err
				}
				err := sum.add(p)
				if errors.Is(err, ErrLarge) {
					large = err
					return err
				}
				if err != nil {
					damage = append(damage, err)
				}
			}
			if len(sum.header.types) == 0 {
				return nil
			}
			p, err := k.words.profile(sum.frame())
			if err != nil {
				return err
			}
			raw, err := encoded(p)
			if err != nil {
				return err
			}
			merged++
			if err := m.Decode(q.Service+" "+q.Kind, bytes.NewReader(raw)); err != nil {
				if errors.Is(err, profile.ErrTooLarge) {
					large = fmt.Errorf("%w: %s %s has too many stacks; choose a shorter time",
						ErrLarge, q.Service, q.Kind)
				}
				return err
			}
			return nil
		})
	})
	if large != nil {
		return nil, large
	}
	if err != nil {
		return nil, err
	}
	if merged == 0 {
		none := fmt.Errorf("%s %s from %s to %s: %w", q.Service, q.Kind,
			q.From.Format(time.RFC3339), q.To.Format(time.RFC3339), ErrNone)
		return nil, errors.Join(append([]error{none}, damage...)...)
	}
	p, err := m.Profile()
	if err != nil {
		return nil, err
	}
	if len(damage) > 0 {
		p.Comments = append(p.Comments, fmt.Sprintf("%d profiles are left out: %v", len(damage), damage[0]))
	}
	p.Name, p.TimeNanos, p.DurationNanos = q.Service+" "+q.Kind, q.From.UnixNano(), int64(q.To.Sub(q.From))
	return p, nil
}

func encoded(p *profile.Profile) ([]byte, error) {
	var raw bytes.Buffer
	err := p.EncodeRaw(&raw)
	return raw.Bytes(), err
}

// sum adds frames of one block up, in a column of numbers for each sample type.
type sum struct {
	header
	block  *block
	bucket *bbolt.Bucket
	values [][]int64            // sample type, row
	known  map[uint32]lastFrame // series → the frame read last
	held   int64                // the memory of these
	room   int64                // the memory for columns and frames
}

// add adds a part. After an error the sum is as before.
func (s *sum) add(p part) error {
	f, err := s.block.readFrame(s.bucket, p.at, s.known)
	if err != nil {
		return err
	}
	rows := len(s.block.words.rows)
	if n := len(f.rows); n > 0 && int(f.rows[n-1]) >= rows {
		return fmt.Errorf("damaged: row %d of %d", f.rows[n-1], rows)
	}
	if s.held += f.memory(); s.held > s.room/2 {
		clear(s.known) // those that are needed again are read again
		s.held = f.memory()
	}
	if before, ok := s.known[p.at.series()]; ok {
		s.held -= before.frame.memory()
	}
	s.known[p.at.series()] = lastFrame{p.at, f}
	if s.types == nil {
		if columns := 8 * int64(rows) * int64(len(f.types)); columns > s.room/2 {
			return fmt.Errorf("%w: columns of %d MiB", ErrLarge, columns>>20)
		}
		s.header = f.header
		s.values = make([][]int64, len(f.types))
		for t := range s.values {
			s.values[t] = make([]int64, rows)
		}
	}
	for _, m := range f.mappings {
		if !slices.Contains(s.mappings, m) {
			s.mappings = append(s.mappings, m)
		}
	}
	for t, column := range s.types {
		factor := p.state
		if slices.Contains(Growing, column.Type) {
			factor = p.growth
		}
		from := slices.Index(f.types, column)
		if from < 0 || factor == 0 {
			continue
		}
		into := s.values[t]
		for i, row := range f.rows {
			into[row] += factor * f.values[from][i]
		}
	}
	return nil
}

// frame returns the sum. Samples that are 0 in every column are left out.
func (s *sum) frame() *frame {
	f := &frame{header: s.header, values: make([][]int64, len(s.values))}
	for row := range s.block.words.rows {
		if !slices.ContainsFunc(s.values, func(column []int64) bool { return column[row] != 0 }) {
			continue
		}
		f.rows = append(f.rows, uint32(row))
		for t := range s.values {
			f.values[t] = append(f.values[t], s.values[t][row])
		}
	}
	return f
}
