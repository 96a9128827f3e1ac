package store

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"go.etcd.io/bbolt"
)

// appending is an append that waits to be written.
type appending struct {
	entry Entry
	data  []byte
	err   error
	done  chan struct{}
}

// Append implements Store. The data may be compressed; the store keeps nothing of it.
func (s *Local) Append(ctx context.Context, e Entry, data []byte) (Entry, error) {
	if err := e.Check(); err != nil {
		s.refuse(err)
		return e, err
	}
	a := &appending{entry: e, data: data, done: make(chan struct{})}
	select {
	case s.appends <- a:
	case <-s.closing:
		return e, errClosed
	case <-ctx.Done():
		return e, ctx.Err()
	}
	<-a.done // it is being written: whether it was kept must be known
	s.refuse(a.err)
	return a.entry, a.err
}

// refuse counts an append that was not kept.
func (s *Local) refuse(err error) {
	s.counting.Lock()
	defer s.counting.Unlock()
	s.refused.count(err)
}

// maxTogether bounds the appends of one transaction, whose pages are in memory.
const maxTogether = 256

// commitAll writes appends until the store is closed. While one transaction is synced,
// others wait, and the next transaction takes them all.
func (s *Local) commitAll() {
	defer close(s.closed)
	for {
		together := gather(s.appends, s.closing, maxTogether)
		if together == nil {
			return
		}
		s.commit(together)
		for _, a := range together {
			close(a.done)
		}
	}
}

// commit writes appends, one transaction for each of their days.
func (s *Local) commit(together []*appending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	byDay := map[string][]*appending{}
	for _, a := range together {
		if a.err = s.prepare(a); a.err == nil {
			name := dayName(a.entry.Time)
			byDay[name] = append(byDay[name], a)
		}
	}
	for name, all := range byDay {
		err := s.writeDay(name, all)
		s.counting.Lock()
		s.unwritable = nil
		if errors.Is(err, ErrDisk) {
			s.unwritable = err
		}
		s.counting.Unlock()
		for _, a := range all {
			switch {
			case err == nil || a.err != nil:
			case len(all) == 1 || errors.Is(err, ErrDisk):
				a.err = err
			default: // the pages of another service may be the damaged ones
				a.err = s.writeDay(name, []*appending{a})
			}
		}
	}
	s.forget()
}

// writeDay writes appends of one day in a transaction.
func (s *Local) writeDay(name string, all []*appending) error {
	d, err := s.writable(name)
	if err != nil {
		return err
	}
	err = d.update(func(tx *bbolt.Tx) error { return s.write(d, tx, all) })
	if err != nil {
		d.blocks = map[string]*block{} // they have rows that the file does not have
	}
	return err
}

// prepare completes an entry from its profile.
func (s *Local) prepare(a *appending) error {
	e := &a.entry
	if a.data != nil && (e.Kind == "" || e.Time.IsZero()) {
		if _, err := s.decode(e, a.data); err != nil {
			return err
		}
	}
	return s.complete(e)
}

// Decode decodes a profile for an entry that is not kept here, and completes and checks the
// entry as Append does. A refusal is counted.
func (s *Local) Decode(e *Entry, data []byte) (*profile.Profile, error) {
	err := e.Check()
	var p *profile.Profile
	if err == nil {
		p, err = s.decode(e, data)
	}
	if err == nil {
		err = s.complete(e)
	}
	s.refuse(err)
	return p, err
}

// decode decodes a profile, and takes from it the words that the entry leaves out.
func (s *Local) decode(e *Entry, data []byte) (*profile.Profile, error) {
	p, err := profile.NewDecoder(profile.Options{MaxBytes: s.opts.Profile}).DecodeBytes(e.Service, data)
	if err != nil {
		return nil, refusal(err, s.opts.Profile)
	}
	if e.Kind == "" {
		e.Kind = kindOf(p)
	}
	if e.Time.IsZero() && p.TimeNanos > 0 {
		e.Time = time.Unix(0, p.TimeNanos)
	}
	return p, nil
}

// complete checks an entry, whose time is now if it has none.
func (s *Local) complete(e *Entry) error {
	now := s.opts.Now()
	if e.Time.IsZero() {
		e.Time = now
	}
	e.Time = e.Time.UTC()
	if err := e.Check(); err != nil { // the kind is a word of the profile
		return err
	}
	switch {
	case e.Time.After(now.Add(tolerance)):
		return fmt.Errorf("%w: it says %s, which is %v ahead; set the clock of the machine that it is from",
			ErrTime, e.Time.Format(time.RFC3339), e.Time.Sub(now).Round(time.Second))
	case e.Time.Before(now.Add(-s.opts.MaxAge)):
		return fmt.Errorf("%w: it says %s, and profiles are kept for %v",
			ErrTime, e.Time.Format(time.RFC3339), s.opts.MaxAge)
	}
	return nil
}

// ErrProfile is wrapped by the error of data that is no profile, or too large a one.
var ErrProfile = errors.New("not a profile to keep")

// ErrTime is wrapped by the error of a profile from the future or the far past.
var ErrTime = errors.New("not a time to keep a profile at")

// tolerance is how far ahead the clocks of other machines may be; Pyroscope has the same.
const tolerance = 10 * time.Minute

// kindOf returns the kind of a profile by its columns.
func kindOf(p *profile.Profile) string {
	for _, known := range []struct{ column, kind string }{
		{"cpu", CPU}, {"inuse_space", Heap}, {"alloc_space", Allocs},
		{"goroutine", Goroutine}, {"goroutines", Goroutine},
	} {
		if _, ok := p.Column(known.column); ok {
			return known.kind
		}
	}
	if len(p.SampleTypes) > 0 {
		return p.SampleTypes[0].Type
	}
	return "unknown"
}

// write writes the appends of one day. An append that cannot be kept gets its error;
// an error of the file is returned, and ends them all.
func (s *Local) write(d *day, tx *bbolt.Tx, all []*appending) error {
	for _, a := range all {
		k, b, f, err := s.place(d, tx, a)
		if err != nil {
			a.err = err
			continue
		}
		if b == nil {
			if b, err = tx.CreateBucketIfNotExists(bucketOf(a.entry.Service, k.gen)); err != nil {
				return err
			}
		}
		err = k.write(d, b, &a.entry, f, crc32.Checksum(a.data, castagnoli), s.opts.Series)
		if errors.Is(err, ErrMany) {
			a.err = err
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// place returns the block that an append goes to, its bucket if there is one, and the
// frame of its profile, nil for figures alone. A profile for which a dictionary has no
// room begins another block.
func (s *Local) place(d *day, tx *bbolt.Tx, a *appending) (*block, *bbolt.Bucket, *frame, error) {
	blocks := generations(tx, a.entry.Service)
	if blocks == 0 && servicesOf(tx, s.opts.Services) >= s.opts.Services {
		return nil, nil, nil, fmt.Errorf("%w: %d services", ErrMany, s.opts.Services)
	}
	gen := max(blocks, 1) - 1
	k, b, err := d.block(tx, a.entry.Service, gen, s.opts.Profile)
	if err == nil && k.words.bytes > k.words.full {
		gen++
		k, b, err = d.block(tx, a.entry.Service, gen, s.opts.Profile)
	}
	if err != nil || a.data == nil {
		return k, b, nil, err
	}
	fresh := len(k.words.rows) == 0
	f, err := k.frame(a)
	if k.words.spoiled() {
		delete(d.blocks, string(bucketOf(a.entry.Service, gen))) // the next append reads it again
	}
	if errors.Is(err, profile.ErrTooLarge) && !fresh {
		if k, b, err = d.block(tx, a.entry.Service, gen+1, s.opts.Profile); err == nil {
			f, err = k.frame(a)
			if k.words.spoiled() {
				delete(d.blocks, string(bucketOf(a.entry.Service, gen+1)))
			}
		}
	}
	return k, b, f, err
}

// frame decodes the profile of an append and completes its entry.
func (k *block) frame(a *appending) (*frame, error) {
	p, err := k.words.decode(a.entry.Service, a.data)
	if err == nil && p.Memory() > k.words.limit {
		err = profile.ErrTooLarge
	}
	if err != nil {
		return nil, refusal(err, k.words.limit)
	}
	h := headerOf(p)
	h.mappings = make([]uint32, len(p.Mappings))
	if err := h.check(); err != nil {
		return nil, err
	}
	a.entry.Duration = time.Duration(max(0, p.DurationNanos))
	a.entry.Figures = nil
	for t, column := range p.SampleTypes {
		a.entry.Figures = append(a.entry.Figures, Figure{column.Type, p.Total(t)})
	}
	return k.words.frame(p), nil
}

// servicesOf counts the services of a day, up to a limit.
func servicesOf(tx *bbolt.Tx, most int) (n int) {
	c := tx.Cursor()
	for name, _ := c.First(); name != nil && n < most; name, _ = c.Next() {
		if _, gen, ok := serviceOf(name); ok && gen == 0 {
			n++
		}
	}
	return n
}

// write writes an entry and its frame, which is nil for figures alone. Nothing was
// written if its error is ErrMany.
func (k *block) write(d *day, b *bbolt.Bucket, e *Entry, f *frame, sum uint32, most int) error {
	s := series{kind: e.Kind, labels: e.Labels}
	for _, figure := range e.Figures {
		s.figures = append(s.figures, figure.Name)
	}
	id, err := k.number(b, s, most)
	if err != nil {
		return err
	}
	// Processes that start together may share labels and take profiles at the same
	// time, rounded: each keeps its own. The same bytes are an append that was repeated.
	e.at, e.file, e.gen = keyAt(e.Time, id), d.name, k.gen
	for moves := 0; ; moves++ {
		if moves > mostMoves {
			return fmt.Errorf("%w: %d profiles of one series at %s", ErrMany, moves, e.Time.Format(time.RFC3339))
		}
		there := b.Bucket(indexBucket)
		if there == nil {
			break
		}
		sealed := there.Get(e.at[:])
		if sealed == nil {
			break
		}
		if inner, err := unseal(sealed); err == nil {
			if kept, s, err := decodeEntry(e.at, &k.series[id-1], inner); err == nil && s == sum {
				e.Size = kept.Size
				return nil
			}
		}
		e.Time = e.Time.Add(1)
		e.at = keyAt(e.Time, id)
	}
	if f != nil {
		if err := k.keepWords(b); err != nil {
			return err
		}
		var base *frame
		if l, ok := k.last[id]; ok && l.frame.depth < maxDepth {
			base, f.base, f.depth = l.frame, l.key, l.frame.depth+1
		}
		packed, err := pack(f.encode(base))
		if err != nil {
			return err
		}
		e.Size = len(packed)
		if err := put(b, dataBucket, e.at[:], packed); err != nil {
			return err
		}
		k.last[id] = lastFrame{e.at, f}
	}
	return put(b, indexBucket, e.at[:], seal(e.encode(sum)))
}

// forget drops dictionaries and frames beyond the limit of memory: all of them, because
// which are needed next is known only by their being read again.
func (s *Local) forget() {
	var bytes int64
	for _, d := range s.days {
		for _, k := range d.blocks {
			bytes += k.words.bytes + int64(len(k.words.rows))*48 + k.bytes
			for _, l := range k.last {
				bytes += l.frame.memory()
			}
		}
	}
	if bytes <= s.opts.Memory {
		return
	}
	for _, d := range s.days {
		d.blocks = map[string]*block{}
	}
}
