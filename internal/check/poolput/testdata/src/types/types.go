package types

import (
	"bytes"
	"os"
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

var sheets = sync.Pool{New: func() any {
	s := make([]int32, 64)
	return &s
}}

func total() (n int32) {
	s := sheets.Get().(*[]int32)
	defer sheets.Put(&s) // want `a \*\*\[\]int32 is put into a pool whose users expect a \*\[\]int32, and panic`
	for _, v := range *s {
		n += v
	}
	return n
}

var devices = sync.Pool{New: func() any {
	f, err := os.Open("/dev/null")
	if err != nil {
		return nil
	}
	return f
}}

func device() *os.File { return devices.Get().(*os.File) } // want `function New may return nil`

// Whoever looks whether there is a value may get nil.
var tapes = sync.Pool{New: func() any {
	f, err := os.Open("/dev/null")
	if err != nil {
		return nil
	}
	return f
}}

func tape() *os.File {
	f, ok := tapes.Get().(*os.File)
	if !ok {
		return nil
	}
	defer tapes.Put(f)
	return nil
}
