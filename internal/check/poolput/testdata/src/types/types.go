package types

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(write func(*bytes.Buffer)) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	write(b)
	text := b.String()
	buffers.Put(*b) // want `a bytes.Buffer is put into a pool whose users expect a \*bytes.Buffer, and panic`
	return text
}

// wrapper has one type parameter, which each method has as its own.
type wrapper[T any] struct{ pool sync.Pool }

func newWrapper[T any]() *wrapper[T] {
	return &wrapper[T]{pool: sync.Pool{New: func() any { return new(T) }}}
}

func (w *wrapper[T]) get() *T  { return w.pool.Get().(*T) }
func (w *wrapper[T]) put(v *T) { w.pool.Put(v) }

// Whoever makes a lender may set New.
type lender struct{ pool sync.Pool }

func (l *lender) lend() *bytes.Buffer { return l.pool.Get().(*bytes.Buffer) }

type forgetful struct{ pool sync.Pool }

func newForgetful() *forgetful { return &forgetful{} }

func (f *forgetful) lend() *bytes.Buffer { return f.pool.Get().(*bytes.Buffer) } // want `the pool has no function New`
