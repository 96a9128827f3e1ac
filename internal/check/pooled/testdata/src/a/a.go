// Package a declares helpers of pools.
package a

import (
	"bytes"
	"sync"
)

var pool sync.Pool

type buffer struct {
	bs    []byte
	inner *bytes.Buffer
	n     int
}

// Putting.

func Put(b *bytes.Buffer)           { pool.Put(b) }                    // want Put:`^puts 0$`
func Second(n int, b *bytes.Buffer) { pool.Put(b) }                    // want Second:`^puts 1$`
func Both(a, b *bytes.Buffer)       { pool.Put(a); pool.Put(b) }       // want Both:`^puts 0, puts 1$`
func Slice(b []byte)                { b = b[:0]; pool.Put(&b) }        // want Slice:`^puts 0$`
func Deferred(b *bytes.Buffer)      { defer pool.Put(b); b.Reset() }   // want Deferred:`^puts 0$`
func Literal(b *bytes.Buffer)       { defer func() { pool.Put(b) }() } // want Literal:`^puts 0$`
func Through(b *bytes.Buffer)       { Later(b) }                       // want Through:`^puts 0$`
func Later(b *bytes.Buffer)         { Put(b) }                         // want Later:`^puts 0$`
func Renamed(b *bytes.Buffer)       { c := b; pool.Put(c) }            // want Renamed:`^puts 0$`
func NotNil(b *bytes.Buffer) { // want NotNil:`^puts 0$`
	if b != nil {
		pool.Put(b)
	}
}
func Small(b *bytes.Buffer) { // want Small:`^puts 0$`
	if b.Cap() < 1024 {
		pool.Put(b)
	}
}
func Early(b *bytes.Buffer) { // want Early:`^puts 0$`
	if b.Cap() > 1024 {
		return
	}
	Put(b)
}
func Generic[T any](p *sync.Pool, v *T) { p.Put(v) }    // want Generic:`^puts 1$`
func (b *buffer) Free()                 { pool.Put(b) } // want Free:`^puts receiver$`
func Typed(v any) { // want Typed:`^puts 0$`
	switch v := v.(type) {
	case *bytes.Buffer:
		pool.Put(v)
	}
}

// Putting a field.

func (b *buffer) Close() { pool.Put(b.inner) } // want Close:`^puts receiver.inner$`
func PutField(n int, b *buffer) { // want PutField:`^puts 1.bs$`
	if b.bs != nil {
		pool.Put(b.bs)
	}
}

// Getting.

func Get() *bytes.Buffer        { return pool.Get().(*bytes.Buffer) } // want Get:`^gets$`
func GetThrough() *bytes.Buffer { b := Get(); b.Reset(); return b }   // want GetThrough:`^gets$`
func GetSlice() []byte          { return *pool.Get().(*[]byte) }      // want GetSlice:`^gets$`
func GetOrNew() (*bytes.Buffer, bool) { // want GetOrNew:`^gets$`
	if v := pool.Get(); v != nil {
		return v.(*bytes.Buffer), true
	}
	return new(bytes.Buffer), false
}

// Sharing memory.

func (b *buffer) Bytes() []byte      { return b.bs }               // want Bytes:`^shares$`
func (b *buffer) Cut() []byte        { return b.bs[:b.n] }         // want Cut:`^shares$`
func (b *buffer) Inner() []byte      { return b.inner.Bytes() }    // want Inner:`^shares inner$`
func (b *buffer) Field(i int) []byte { return b.bs }               // want Field:`^shares bs$`
func Trim(b []byte) []byte           { return bytes.TrimSpace(b) } // want Trim:`^shares$`

// Neither.

func Counted(b *buffer) {
	if b.n == 0 {
		pool.Put(b)
	}
}
func Maybe(b *buffer, ok bool) {
	if ok {
		pool.Put(b)
	}
}
func Other(b *buffer) { b = new(buffer); pool.Put(b) }
func Looped(all []*buffer) {
	for _, b := range all {
		pool.Put(b)
	}
}
func String(s string)       { pool.Put(s) }
func (b *buffer) Cleared()  { pool.Put(b.inner); b.inner = nil }
func (b *buffer) Handed()   { pool.Put(b.inner); b.reset() }
func (b *buffer) reset()    { b.inner = nil }
func (b *buffer) Len() int  { return len(b.bs) }
func Clone(b []byte) []byte { return bytes.Clone(b) }

// Of wraps a pool for one type.
type Of[T any] struct{ pool sync.Pool }

func (p *Of[T]) Get() T  { return p.pool.Get().(T) } // want Get:`^gets$`
func (p *Of[T]) Put(v T) { p.pool.Put(v) }           // want Put:`^puts 0$`

func Asserted(v any) { // want Asserted:`^puts 0$`
	b, ok := v.(*bytes.Buffer)
	if !ok {
		return
	}
	pool.Put(b)
}

func (b *buffer) write() error { // want write:`^puts receiver$`
	if b == nil {
		return nil
	}
	pool.Put(b)
	return nil
}

func (b *buffer) send() { // want send:`^puts receiver$`
	if err := b.write(); err != nil {
		panic(err)
	}
}

func (b *buffer) finish() error { return b.write() } // want finish:`^puts receiver$`

func (b *buffer) done() error { // want done:`^puts receiver$`
	err := b.write()
	return err
}

var limit int

func Limited(b *bytes.Buffer) { // want Limited:`^puts 0$`
	most := limit
	if most == 0 || b.Cap() <= most {
		pool.Put(b)
	}
}

type Line struct {
	B     []byte // want B:`^reused$`
	Given []byte
	Freed []byte
	b     []byte
}

func FreeLine(l *Line) { // want FreeLine:`^puts 0$`
	l.Freed = nil
	pool.Put(l)
}

func PutLine(l *Line) { // want PutLine:`^puts 0$`
	l.B = l.B[:0]
	l.b = l.b[:0]
	l.Freed = l.Freed[:0]
	l.Given = nil
	pool.Put(l)
}
