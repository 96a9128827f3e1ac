package store

import (
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"
)

// queueChange is the effect of a transaction on the state.
type queueChange struct {
	values int
	bytes  int64
	lost   map[string]int64
}

// change runs a transaction, drops the oldest values beyond the size, and notes the effect of
// both when it is synced.
func (q *Queue) change(do func(*bbolt.Bucket, *queueChange) error) error {
	return q.whole(func() error { return q.transact(do) })
}

func (q *Queue) transact(do func(*bbolt.Bucket, *queueChange) error) error {
	d, err := q.open()
	if err != nil {
		return err
	}
	var c queueChange
	var oldest time.Time
	if err := d.update(func(tx *bbolt.Tx) error {
		c = queueChange{lost: map[string]int64{}}
		b, err := tx.CreateBucketIfNotExists(valuesBucket)
		if err != nil {
			return err
		}
		if err := do(b, &c); err != nil {
			return err
		}
		held := q.Stats().Bytes
		for held+c.bytes > q.most {
			id, sealed := b.Cursor().First()
			if id == nil {
				break
			}
			c.remove(len(sealed), Full)
			if err := b.Delete(id); err != nil {
				return err
			}
		}
		oldest = cameAt(b)
		return c.write(tx)
	}); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stats.Values += c.values
	q.stats.Bytes += c.bytes
	q.stats.Oldest = oldest
	for reason, n := range c.lost {
		q.stats.Lost[reason] += n
	}
	return nil
}

// remove notes that a value leaves; reason is "" if it was taken.
func (c *queueChange) remove(size int, reason string) {
	c.values--
	c.bytes -= int64(size)
	if reason != "" {
		c.lost[reason]++
	}
}

// write adds the numbers of lost values to those in the file.
func (c *queueChange) write(tx *bbolt.Tx) error {
	if len(c.lost) == 0 {
		return nil
	}
	b, err := tx.CreateBucketIfNotExists(lostBucket)
	if err != nil {
		return err
	}
	for reason, n := range c.lost {
		if was := b.Get([]byte(reason)); len(was) == 8 {
			n += int64(binary.BigEndian.Uint64(was))
		}
		if err := b.Put([]byte(reason), binary.BigEndian.AppendUint64(nil, uint64(n))); err != nil {
			return err
		}
	}
	return nil
}

// cameAt returns when the oldest value came, zero if there is none that can be read.
func cameAt(b *bbolt.Bucket) time.Time {
	_, sealed := b.Cursor().First()
	value, err := unseal(sealed)
	if err != nil || len(value) < stampSize {
		return time.Time{}
	}
	return time.Unix(0, int64(binary.BigEndian.Uint64(value)))
}
