package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
)

// Queue keeps values on disk until another server has taken them, in the order in which they
// came. When they take more than its size, the oldest are dropped, and all that are dropped
// are counted. It serves many goroutines.
type Queue struct {
	dir      string
	most     int64
	incoming chan *waiting
	added    chan struct{} // has an element after a push
	closing  chan struct{}
	closed   chan struct{}

	mu    sync.Mutex // guards the fields below
	file  *day       // nil while the disk is full or cannot be written
	stats QueueStats
}

// QueueStats is the state of a queue.
type QueueStats struct {
	Values int
	Bytes  int64
	Most   int64            // the size beyond which the oldest are dropped
	Oldest time.Time        // when the oldest came
	Lost   map[string]int64 // reason → the number of values that were dropped for it, ever
	// Unwritable is why the last value could not be written, nil if it could.
	Unwritable error
}

// QueueItem is a value in a queue.
type QueueItem struct {
	Key   string // no other value ever has the same
	Came  time.Time
	Value []byte
}

// Full is the reason for values that are dropped because the queue is full.
const Full = "the queue was full"

// Damaged is the reason for values whose checksum is wrong.
const Damaged = "damaged on disk"

const queueFile = "queue.db"

var (
	valuesBucket = []byte("values")
	lostBucket   = []byte("lost")
)

// waiting is a value that waits to be written.
type waiting struct {
	value []byte
	err   error
	done  chan struct{}
}

// OpenQueue opens the queue in a folder that is there. The values of an earlier process are in
// it. If its file is damaged, it is set aside. On a full disk the queue opens at the first push
// that finds room.
func OpenQueue(dir string, most int64) (*Queue, error) {
	q := &Queue{dir: dir, most: most, stats: QueueStats{Most: most, Lost: map[string]int64{}},
		incoming: make(chan *waiting), added: make(chan struct{}, 1), closing: make(chan struct{}), closed: make(chan struct{})}
	err := q.whole(func() error {
		_, err := q.open()
		return err
	})
	if err != nil && !errors.Is(err, ErrDisk) {
		return nil, err
	}
	q.stats.Unwritable = err
	go q.write()
	return q, nil
}

// open opens the file and counts its values, if that was not done before.
func (q *Queue) open() (*day, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.file != nil && !q.file.db.IsReadOnly() {
		return q.file, nil
	}
	if q.file != nil {
		q.file.db.Close()
		q.file = nil
	}
	d, err := openDay(q.dir, queueFile)
	if err != nil {
		return nil, err
	}
	if err := d.view(q.count); err != nil {
		d.db.Close()
		return nil, err
	}
	q.file = d
	return d, nil
}

// whole does something with the file. If the file turns out to be damaged, it is set aside as
// it is, and whole does the same with a new one.
func (q *Queue) whole(do func() error) error {
	err := do()
	if !errors.Is(err, errBroken) {
		return err
	}
	q.mu.Lock()
	if q.file != nil {
		q.file.db.Close() // the file is damaged, and so may this be
	}
	q.stats.Lost[Damaged] += int64(q.stats.Values)
	q.file, q.stats.Values, q.stats.Bytes, q.stats.Oldest = nil, 0, 0, time.Time{}
	path := filepath.Join(q.dir, queueFile)
	moved := os.Rename(path, path+setAside)
	q.mu.Unlock()
	if moved != nil {
		return errors.Join(err, moved)
	}
	return do()
}

func (q *Queue) count(tx *bbolt.Tx) error {
	q.stats.Values, q.stats.Bytes = 0, 0
	if b := tx.Bucket(lostBucket); b != nil {
		if err := b.ForEach(func(reason, n []byte) error {
			if len(n) == 8 {
				q.stats.Lost[string(reason)] = int64(binary.BigEndian.Uint64(n))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	b := tx.Bucket(valuesBucket)
	if b == nil {
		return nil
	}
	q.stats.Oldest = cameAt(b)
	return b.ForEach(func(_, sealed []byte) error {
		q.stats.Values++
		q.stats.Bytes += int64(len(sealed))
		return nil
	})
}

// Close waits for the pushes that have begun, and closes the file.
func (q *Queue) Close() error {
	close(q.closing)
	<-q.closed
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.file == nil {
		return nil
	}
	return q.file.db.Close()
}

// Push adds a value. When it returns nil, the value survives a crash of the machine.
func (q *Queue) Push(value []byte) error {
	w := &waiting{value: value, done: make(chan struct{})}
	select {
	case q.incoming <- w:
	case <-q.closing:
		return errClosed
	}
	<-w.done
	return w.err
}

// Added receives after values have come.
func (q *Queue) Added() <-chan struct{} { return q.added }

// write writes values until the queue is closed, many in one transaction.
func (q *Queue) write() {
	defer close(q.closed)
	for {
		together := gather(q.incoming, q.closing, maxTogether)
		if together == nil {
			return
		}
		err := q.put(together)
		q.mu.Lock()
		q.stats.Unwritable = nil
		if errors.Is(err, ErrDisk) {
			q.stats.Unwritable = err
		}
		q.mu.Unlock()
		for _, w := range together {
			w.err = err
			close(w.done)
		}
		select {
		case q.added <- struct{}{}:
		default:
		}
	}
}

// gather waits for an element, and returns it with all that wait too, nil when closing is
// closed.
func gather[T any](in <-chan T, closing <-chan struct{}, most int) (all []T) {
	select {
	case one := <-in:
		all = append(all, one)
	case <-closing:
		return nil
	}
	for len(all) < most {
		select {
		case one := <-in:
			all = append(all, one)
		default:
			return all
		}
	}
	return all
}

// A value begins with the time at which it came, in nanoseconds.
const stampSize = 8

func (q *Queue) put(together []*waiting) error {
	now := binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixNano()))
	return q.change(func(b *bbolt.Bucket, change *queueChange) error {
		for _, w := range together {
			id, err := b.NextSequence()
			if err != nil {
				return err
			}
			sealed := seal(append(now[:stampSize:stampSize], w.value...))
			b.FillPercent = 0.9 // keys come in order
			if err := b.Put(binary.BigEndian.AppendUint64(nil, id), sealed); err != nil {
				return err
			}
			change.values++
			change.bytes += int64(len(sealed))
		}
		return nil
	})
}

// Head returns the oldest values: at most n, and after the first only those that fit in a
// size together. Damaged ones are dropped.
func (q *Queue) Head(n int, size int64) (all []QueueItem, err error) {
	var damaged []QueueItem
	err = q.whole(func() (err error) {
		all, damaged, err = q.head(n, size)
		return err
	})
	if err == nil && len(damaged) > 0 {
		err = q.Remove(damaged, Damaged)
	}
	return all, err
}

func (q *Queue) head(n int, size int64) (all, damaged []QueueItem, err error) {
	d, err := q.open()
	if err != nil {
		return nil, nil, err
	}
	err = d.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket(valuesBucket)
		if b == nil {
			return nil
		}
		c := b.Cursor()
		for id, sealed := c.First(); id != nil && len(all) < n; id, sealed = c.Next() {
			one := QueueItem{Key: string(id)}
			value, err := unseal(sealed)
			if err != nil || len(value) < stampSize {
				damaged = append(damaged, one)
				continue
			}
			if size -= int64(len(value)); size < 0 && len(all) > 0 {
				break
			}
			one.Came = time.Unix(0, int64(binary.BigEndian.Uint64(value)))
			one.Value = append([]byte(nil), value[stampSize:]...)
			all = append(all, one)
		}
		return nil
	})
	return all, damaged, err
}

// Remove removes values. The reason is "" for those that were taken; others are counted.
func (q *Queue) Remove(all []QueueItem, reason string) error {
	return q.change(func(b *bbolt.Bucket, c *queueChange) error {
		for _, one := range all {
			id := []byte(one.Key)
			sealed := b.Get(id)
			if sealed == nil {
				continue // dropped meanwhile, and counted then
			}
			c.remove(len(sealed), reason)
			if err := b.Delete(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Later moves values to the end of the queue.
func (q *Queue) Later(all []QueueItem) error {
	return q.change(func(b *bbolt.Bucket, _ *queueChange) error {
		for _, one := range all {
			id := []byte(one.Key)
			sealed := bytes.Clone(b.Get(id))
			if sealed == nil {
				continue // dropped meanwhile
			}
			next, err := b.NextSequence()
			if err != nil {
				return err
			}
			if err := b.Delete(id); err != nil {
				return err
			}
			if err := b.Put(binary.BigEndian.AppendUint64(nil, next), sealed); err != nil {
				return err
			}
		}
		return nil
	})
}

// Stats returns the state of the queue.
func (q *Queue) Stats() QueueStats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.stats
	s.Lost = maps.Clone(s.Lost)
	return s
}
