package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
)

// Options of a local store. The zero value is useful.
type Options struct {
	MaxAge   time.Duration    // older days are removed; 0 is 31 days
	Fine     time.Duration    // days that ended before are kept in windows of five minutes; 0 is 48 h
	MaxBytes int64            // beyond this size of all files the oldest days are removed; 0 is 10 GiB
	Memory   int64            // the size of dictionaries and frames in memory; 0 is 128 MiB
	Profile  int64            // the inflated size of a profile, in bytes; 0 is 64 MiB
	Query    int64            // the memory of a query, in bytes; 0 is 256 MiB
	Series   int              // series of a service on one day; 0 is 10,000
	Services int              // services on one day; 0 is 5,000
	Now      func() time.Time // nil is time.Now
}

func (o *Options) setDefaults() {
	o.MaxAge = cmp.Or(o.MaxAge, 31*24*time.Hour)
	o.Fine = cmp.Or(o.Fine, 48*time.Hour)
	o.MaxBytes = cmp.Or(o.MaxBytes, 10<<30)
	o.Memory = cmp.Or(o.Memory, 128<<20)
	o.Profile = cmp.Or(o.Profile, 64<<20)
	o.Query = cmp.Or(o.Query, 256<<20)
	o.Series = cmp.Or(o.Series, 10_000)
	o.Services = cmp.Or(o.Services, 5_000)
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Share returns the options of one of n stores that together stay within the limits of size
// and memory. Queries are bounded by how many are made at the same time.
func (o Options) Share(n int) Options {
	o.setDefaults()
	o.MaxBytes, o.Memory = o.MaxBytes/int64(n), o.Memory/int64(n)
	return o
}

// Local is a store in a folder. Appends are written by one goroutine, many at a time.
type Local struct {
	dir     string
	opts    Options
	appends chan *appending
	closing chan struct{} // closed by Close
	closed  chan struct{} // closed when the last append is written

	// mu excludes reading while appends change dictionaries. Readers that read a
	// dictionary from a file hold loading too.
	mu      sync.RWMutex
	loading sync.Mutex
	days    map[string]*day
	damaged map[string]error // days that cannot be opened
	// rewrites counts the days that Coarsen has replaced, with the entries in them.
	rewrites int

	counting   sync.Mutex
	refused    Refusals
	unwritable error // why the last transaction could not be written; nil if it was
}

var errClosed = errors.New("the store is closed")

// Open opens the store in a folder that is there. Nobody else may use the folder.
func Open(dir string, opts Options) (*Local, error) {
	opts.setDefaults()
	s := &Local{dir: dir, opts: opts,
		appends: make(chan *appending), closing: make(chan struct{}), closed: make(chan struct{}),
		days: map[string]*day{}, damaged: map[string]error{}}
	if _, err := s.names(); err != nil {
		return nil, err
	}
	if err := s.begin(dayName(opts.Now())); err != nil {
		return nil, err
	}
	go s.commitAll()
	return s, nil
}

// setAside is the suffix of a damaged file that another one has taken the place of.
const setAside = ".damaged"

// begin opens the present day: whether the folder can be written is known now, and not with
// the first profile. If the disk is full or cannot be written, the other days can be read. A
// damaged file is set aside, since it would refuse the profiles of the whole day.
func (s *Local) begin(today string) error {
	_, err := s.open(today)
	if errors.Is(err, errBroken) {
		path := filepath.Join(s.dir, today)
		if moved := os.Rename(path, path+setAside); moved != nil {
			return errors.Join(err, moved)
		}
		delete(s.damaged, today)
		_, err = s.open(today)
	}
	if errors.Is(err, ErrDisk) {
		s.unwritable, err = err, nil
	} else if err == nil && s.days[today].db.IsReadOnly() {
		s.unwritable = fmt.Errorf("%s: %w: %w", s.dir, ErrDisk, syscall.EROFS)
	}
	return err
}

// Close waits for the appends that have begun, and closes all files.
func (s *Local) Close() error {
	close(s.closing)
	<-s.closed
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, d := range s.days {
		errs = append(errs, d.db.Close())
	}
	s.days = map[string]*day{}
	return errors.Join(errs...)
}

// names returns the files of days, the oldest first.
func (s *Local) names() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, ok := dayOf(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// open returns a day, which it opens if it is not open. Readers hold s.loading.
func (s *Local) open(name string) (*day, error) {
	if d := s.days[name]; d != nil {
		return d, nil
	}
	if err := s.damaged[name]; err != nil {
		return nil, err
	}
	d, err := openDay(s.dir, name)
	if errors.Is(err, ErrDisk) {
		return nil, err // there may be room the next time
	}
	if err != nil {
		s.damaged[name] = err
		return nil, err
	}
	s.days[name] = d
	return d, nil
}

// writable returns a day that can be written, also if its disk could not be written before.
func (s *Local) writable(name string) (*day, error) {
	d, err := s.open(name)
	if err != nil || !d.db.IsReadOnly() {
		return d, err
	}
	if err := d.db.Close(); err != nil {
		return nil, err
	}
	delete(s.days, name)
	return s.open(name)
}

// read calls do for each day between two times, the oldest first, that has a file. Days
// that cannot be read are left out, unless all are: their errors are joined.
func (s *Local) read(ctx context.Context, from, to time.Time, do func(*day, *bbolt.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	names, err := s.names()
	if err != nil {
		return err
	}
	first, last := dayName(from), dayName(to)
	var errs []error
	read := 0
	for _, name := range names {
		if name < first || name > last {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := loaded(&s.loading, func() (*day, error) { return s.open(name) })
		if err == nil {
			err = d.view(func(tx *bbolt.Tx) error { return do(d, tx) })
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		read++
	}
	if read == 0 || ctx.Err() != nil {
		return errors.Join(errs...)
	}
	return nil
}

// loaded calls load with a lock, which a panic on a damaged page releases.
func loaded[T any](mu *sync.Mutex, load func() (T, error)) (T, error) {
	mu.Lock()
	defer mu.Unlock()
	return load()
}

// blocks calls do for each block of a service in a day.
func (s *Local) blocks(d *day, tx *bbolt.Tx, service string, do func(*block, *bbolt.Bucket) error) error {
	for gen := range generations(tx, service) {
		var bucket *bbolt.Bucket
		k, err := loaded(&s.loading, func() (k *block, err error) {
			s.forget()
			k, bucket, err = d.block(tx, service, gen, s.opts.Profile)
			return k, err
		})
		if err == nil {
			err = do(k, bucket)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Services returns the names of services with entries in a time, sorted.
func (s *Local) Services(ctx context.Context, from, to time.Time) ([]string, error) {
	found := map[string]bool{}
	err := s.read(ctx, from, to, func(_ *day, tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
			if service, _, ok := serviceOf(name); ok {
				found[service] = true
			}
			return nil
		})
	})
	var all []string
	for service := range found {
		all = append(all, service)
	}
	slices.Sort(all)
	return all, err
}

// Select returns the entries of a query in the order of time.
func (s *Local) Select(ctx context.Context, q Query) ([]Entry, error) {
	var all []Entry
	var bytes int64
	var large error
	err := s.read(ctx, q.From, q.To, func(d *day, tx *bbolt.Tx) error {
		return s.blocks(d, tx, q.Service, func(k *block, b *bbolt.Bucket) error {
			return k.entries(d, b, q, func(e Entry) error {
				if bytes += 2 * e.memory(); bytes > s.opts.Query { // a slice that grows exists twice
					large = fmt.Errorf("%w: more than %d profiles; choose a shorter time", ErrLarge, len(all))
					return large
				}
				all = append(all, e)
				return ctx.Err()
			})
		})
	})
	if large != nil {
		return nil, large
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	return all, err
}

// entries calls do for the entries of a query in a block. Entries that are damaged are
// left out.
func (k *block) entries(d *day, b *bbolt.Bucket, q Query, do func(Entry) error) error {
	index := b.Bucket(indexBucket)
	if index == nil {
		return nil
	}
	wanted := make([]bool, len(k.series)+1)
	for i := range k.series {
		wanted[i+1] = q.matches(k.series[i].kind, k.series[i].labels)
	}
	from := keyAt(q.From, 0)
	c := index.Cursor()
	for at, value := c.Seek(from[:]); len(at) == len(from); at, value = c.Next() {
		at := key(at)
		if !at.time().Before(q.To) {
			break
		}
		if n := at.series(); int(n) >= len(wanted) || !wanted[n] {
			continue
		}
		inner, err := unseal(value)
		if err != nil {
			continue
		}
		e, _, err := decodeEntry(at, &k.series[at.series()-1], inner)
		if err != nil {
			continue
		}
		e.Service, e.file, e.gen = k.service, d.name, k.gen
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}

// Damaged returns why files of days cannot be read, and nil if all can.
func (s *Local) Damaged() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, err := range s.damaged {
		errs = append(errs, err)
	}
	files, err := os.ReadDir(s.dir)
	if err != nil {
		errs = append(errs, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), suffix+setAside) {
			errs = append(errs, fmt.Errorf("%s: damaged, and set aside; remove it", filepath.Join(s.dir, f.Name())))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("profiles that cannot be read: %w", errors.Join(errs...))
}
