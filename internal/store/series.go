package store

import (
	"context"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

// Series has the fields that entries share if they differ only in time and values.
type Series struct {
	Service, Kind string
	Labels        Labels
	Figures       []string // the names of its figures: of a profile, its sample types
}

// Series returns the series that the days of a time have, each once. It reads no profile.
func (s *Local) Series(ctx context.Context, from, to time.Time) ([]Series, error) {
	var all []Series
	var large error
	bytes := int64(0)
	seen := map[string]bool{}
	err := s.read(ctx, from, to, func(_ *day, tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			service, _, ok := serviceOf(name)
			if !ok || ctx.Err() != nil {
				return ctx.Err()
			}
			return each(b, seriesBucket, func(_, value []byte) error {
				inner, err := unseal(value)
				if err != nil {
					return nil // Select leaves the entries out, too
				}
				id := service + "\x00" + string(inner)
				if seen[id] {
					return nil
				}
				one, err := decodeSeries(inner)
				if err != nil {
					return nil
				}
				seen[id] = true
				if bytes += 3*int64(len(id)) + 100*int64(3+len(one.labels)); bytes > s.opts.Query {
					large = fmt.Errorf("%w: more than %d series; choose a shorter time", ErrLarge, len(all))
					return large
				}
				all = append(all, Series{Service: service, Kind: one.kind, Labels: one.labels, Figures: one.figures})
				return nil
			})
		})
	})
	if large != nil {
		return nil, large
	}
	return all, err
}

// Span returns the times of the first and the last entry, zero times without one.
func (s *Local) Span(ctx context.Context) (first, last time.Time, err error) {
	err = s.read(ctx, time.Unix(0, 0), s.opts.Now().Add(tolerance), func(_ *day, tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			index := b.Bucket(indexBucket)
			if _, _, ok := serviceOf(name); !ok || index == nil {
				return nil
			}
			c := index.Cursor()
			if at, _ := c.First(); len(at) == len(key{}) {
				if t := key(at).time(); first.IsZero() || t.Before(first) {
					first = t
				}
			}
			if at, _ := c.Last(); len(at) == len(key{}) {
				if t := key(at).time(); t.After(last) {
					last = t
				}
			}
			return nil
		})
	})
	return first, last, err
}
