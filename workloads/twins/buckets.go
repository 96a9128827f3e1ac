package main

import (
	"sync"
	"time"
)

const width = 250 * time.Millisecond // the width of a bucket

func bucket() int64 { return time.Now().UnixNano() / int64(width) }

// growingBuckets keep the buckets of all time.
type growingBuckets struct {
	mu sync.Mutex
	by map[int64][][]byte
}

func newGrowingBuckets() *growingBuckets { return &growingBuckets{by: map[int64][][]byte{}} }

func (b *growingBuckets) count(int) {
	sample := make([]byte, entry)
	b.mu.Lock()
	defer b.mu.Unlock()
	at := bucket()
	b.by[at] = append(b.by[at], sample) // grows: buckets
}

// steadyBuckets are a ring of the last two seconds.
type steadyBuckets struct {
	mu   sync.Mutex
	last int64
	ring [8][][]byte
}

func (b *steadyBuckets) count(int) {
	sample := make([]byte, entry)
	b.mu.Lock()
	defer b.mu.Unlock()
	at := bucket()
	i := at % int64(len(b.ring))
	if at != b.last {
		b.last, b.ring[i] = at, nil
	}
	b.ring[i] = append(b.ring[i], sample)
}
