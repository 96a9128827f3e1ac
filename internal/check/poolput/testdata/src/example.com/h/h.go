// Package h holds the helpers of package b.
package h

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const limit = 1 << 16

func Get() *bytes.Buffer { return pool.Get().(*bytes.Buffer) }

func Put(b *bytes.Buffer) {
	if b == nil || b.Cap() > limit {
		return
	}
	b.Reset()
	pool.Put(b)
}

func PutDeferred(b *bytes.Buffer) {
	defer pool.Put(b)
	b.Reset()
}

func PutInClosure(b *bytes.Buffer) {
	defer func() { pool.Put(b) }()
	b.Reset()
}

func PutThrough(b *bytes.Buffer) { Put(b) }

func PutAny(v any) {
	switch v := v.(type) {
	case *bytes.Buffer:
		pool.Put(v)
	}
}

func PutSlice(b []byte) {
	b = b[:0]
	pool.Put(&b)
}

func PutClass(b []byte) {
	switch c := cap(b); {
	case c <= 1024:
		pool.Put(&b)
	case c <= 4096:
		pool.Put(&b)
	}
}

// Of wraps a pool for one type.
type Of[T any] struct{ pool sync.Pool }

func (p *Of[T]) Get() T  { return p.pool.Get().(T) }
func (p *Of[T]) Put(v T) { p.pool.Put(v) }

// Buffer returns itself to its pool.
type Buffer struct {
	bs   []byte
	refs int
}

func (b *Buffer) Write(p []byte) { b.bs = append(b.bs, p...) }
func (b *Buffer) Bytes() []byte  { return b.bs }
func (b *Buffer) Free()          { b.bs = b.bs[:0]; pool.Put(b) }

// Release gives the buffer back with the last reference.
func (b *Buffer) Release() {
	b.refs--
	if b.refs == 0 {
		pool.Put(b)
	}
}

func (b *Buffer) Maybe(keep bool) {
	if !keep {
		pool.Put(b)
	}
}

func Text(b []byte) string { return string(b) }

func (b *Buffer) Send() error { b.Free(); return nil }

func (b *Buffer) Next() *Buffer { b.Free(); return new(Buffer) }
