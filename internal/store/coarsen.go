package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.etcd.io/bbolt"
)

// coarse is the window of old days: its profiles become one for each series.
const coarse = 5 * time.Minute

// rewritten is the suffix of a file that is not a day yet.
const rewritten = ".new"

var coarseKey = []byte("coarse")

// Coarsen rewrites the days that ended before Options.Fine, each once. Of profiles over a
// time it keeps the sum of each window of five minutes, of snapshots and figures the last
// ones, and all that were taken because of an alarm. Sums over a day stay as they were.
// It returns the names of the days.
func (s *Local) Coarsen(ctx context.Context) (done []string, err error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, name := range names {
		if name >= dayName(s.opts.Now().Add(-s.opts.Fine)) {
			break
		}
		ok, err := s.coarsen(ctx, name)
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		if err != nil {
			errs = append(errs, err)
		} else if ok {
			done = append(done, name)
		}
	}
	return done, errors.Join(errs...)
}

// coarsen rewrites a day, and reports false for one that needs it no more. Nobody waits
// meanwhile, except for the file to take the place of the old one.
func (s *Local) coarsen(ctx context.Context, name string) (bool, error) {
	s.mu.RLock()
	d, err := loaded(&s.loading, func() (*day, error) { return s.open(name) })
	s.mu.RUnlock()
	if err != nil {
		return false, nil // it is known as damaged
	}
	loose, dense := filepath.Join(s.dir, name+".loose"+rewritten), filepath.Join(s.dir, name+rewritten)
	for _, file := range []string{loose, dense} {
		os.Remove(file) // a process that was killed has left it
		defer os.Remove(file)
	}
	version, was := 0, false
	err = d.view(func(tx *bbolt.Tx) error {
		if version = tx.ID(); tx.Bucket(versionBucket).Get(coarseKey) != nil {
			was = true
			return nil
		}
		to, err := openDay(s.dir, filepath.Base(loose))
		if err != nil {
			return err
		}
		defer to.db.Close()
		to.db.NoSync = true // a file that is not whole is written again
		return s.copyDay(ctx, tx, d, to)
	})
	if err != nil || was {
		return false, err
	}
	if err := compact(dense, loose); err != nil {
		return false, err
	}
	return s.replace(d, dense, version)
}

func (s *Local) copyDay(ctx context.Context, tx *bbolt.Tx, from, to *day) error {
	if err := to.update(func(tx *bbolt.Tx) error {
		return tx.Bucket(versionBucket).Put(coarseKey, []byte(coarse.String()))
	}); err != nil {
		return err
	}
	return tx.ForEach(func(bucket []byte, b *bbolt.Bucket) error {
		service, gen, ok := serviceOf(bucket)
		if !ok {
			return nil
		}
		old, err := readBlock(service, gen, b, s.opts.Profile)
		if err != nil {
			return err
		}
		return s.copyBlock(ctx, old, b, from, to)
	})
}

// copyBlock writes the windows of each series. The dictionary stays, as one part.
func (s *Local) copyBlock(ctx context.Context, old *block, b *bbolt.Bucket, from, to *day) error {
	bySeries := map[uint32][]Entry{}
	err := old.entries(from, b, Query{From: time.Unix(0, 0), To: time.Unix(1<<33, 0)}, func(e Entry) error {
		bySeries[e.at.series()] = append(bySeries[e.at.series()], e)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	old.words.rewrite()
	fresh := &block{service: old.service, gen: old.gen, words: old.words,
		ids: map[string]uint32{}, last: map[uint32]lastFrame{}}
	for id := range uint32(len(old.series)) {
		err := to.update(func(tx *bbolt.Tx) error {
			bucket, err := tx.CreateBucketIfNotExists(bucketOf(old.service, old.gen))
			if err != nil {
				return err
			}
			for _, w := range windowsOf(bySeries[id+1]) {
				if err := ctx.Err(); err != nil {
					return err
				}
				var f *frame
				if w.entry.Size > 0 {
					if f = s.sum(old, b, w.parts); f == nil {
						continue // it was damaged before
					}
					f.time, f.duration = w.entry.Time.UnixNano(), int64(w.entry.Duration)
				}
				if err := fresh.write(to, bucket, &w.entry, f, 0, len(old.series)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		clear(fresh.last)
	}
	return nil
}

// sum adds parts up, nil if all are damaged.
func (s *Local) sum(k *block, b *bbolt.Bucket, parts []part) *frame {
	sum := sum{block: k, bucket: b, known: map[uint32]lastFrame{}, room: s.opts.Query / 2}
	for _, p := range parts {
		sum.add(p) // a damaged part stays out, as in every sum
	}
	if sum.types == nil {
		return nil
	}
	return sum.frame()
}

// window holds the parts that become one entry.
type window struct {
	entry Entry
	parts []part
}

// windowsOf joins the entries of one series, which are in the order of time.
func windowsOf(all []Entry) (joined []window) {
	for i := range all {
		e := &all[i]
		if len(joined) > 0 {
			last := &joined[len(joined)-1]
			// The first snapshot stays, because growth is counted from it.
			same := (len(joined) > 1 || !e.isSnapshot()) && !e.Evidence && !last.entry.Evidence &&
				last.entry.Time.Truncate(coarse).Equal(e.Time.Truncate(coarse))
			if same && (e.Kind == HeapDelta || !restarted(last.entry.Figures, e.Figures)) {
				last.join(e)
				continue
			}
		}
		joined = append(joined, window{*e, []part{{e.at, 1, 1}}})
	}
	return joined
}

// join adds the next entry. Growth since the entry before is a part of the sum, and of a
// state the last one counts.
func (w *window) join(e *Entry) {
	before := w.entry
	switch {
	case e.Kind == HeapDelta:
		w.parts[len(w.parts)-1].state = 0
		w.parts = append(w.parts, part{e.at, 1, 1})
		w.entry = *e
		w.entry.Figures = added(before.Figures, e.Figures, Growing)
	case e.Size == 0 || e.isSnapshot():
		w.entry, w.parts = *e, []part{{e.at, 1, 1}}
	default:
		w.parts = append(w.parts, part{e.at, 1, 1})
		w.entry.Duration += e.Duration
		w.entry.Figures = added(before.Figures, e.Figures, nil)
	}
}

// added adds the figures of these names up, nil is all; of others the later ones count.
func added(before, after []Figure, names []string) (sums []Figure) {
	for i, f := range after {
		if names == nil || slices.Contains(names, f.Name) {
			f.Value += before[i].Value
		}
		sums = append(sums, f)
	}
	return sums
}

// compact copies a file without the gaps that writing it left.
func compact(dense, loose string) error {
	return guard(loose, func() error {
		from, err := bbolt.Open(loose, 0o600, &bbolt.Options{Timeout: lockWait, ReadOnly: true})
		if err != nil {
			return err
		}
		defer from.Close()
		to, err := bbolt.Open(dense, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
		if err != nil {
			return err
		}
		return errors.Join(bbolt.Compact(to, from, 1<<20), to.Close())
	})
}

// replace puts a file in the place of a day's, unless that was written to meanwhile: then
// the next time is as good.
func (s *Local) replace(d *day, file string, version int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.days[d.name] != d {
		return false, nil // it was removed
	}
	now := 0
	if err := d.view(func(tx *bbolt.Tx) error { now = tx.ID(); return nil }); err != nil || now != version {
		return false, err
	}
	if err := d.db.Close(); err != nil {
		return false, err
	}
	delete(s.days, d.name)
	s.rewrites++
	if err := os.Rename(file, d.path); err != nil {
		return false, fmt.Errorf("%s: %w", d.path, err)
	}
	return true, nil
}
