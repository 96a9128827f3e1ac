// Package f puts fields of variables into pools.
package f

import (
	"bytes"
	"io"
	"sync"

	"example.com/g"
)

var pool sync.Pool

type writer struct {
	pool *sync.Pool
	mu   sync.Mutex
	w    io.Writer
	buf  *bytes.Buffer
	data []byte
	in   inner
	next *writer
	done chan bool
	log  func(string)
	n    int
}

type inner struct {
	data []byte
	refs int
}

func cond() bool         { return true }
func sink(...any)        {}
func take(*bytes.Buffer) {}

func straight(w *writer)         { pool.Put(w.buf); w.buf.Reset() }                            // want `w.buf is used after Put`
func own(w *writer)              { w.pool.Put(w.buf); take(w.buf) }                            // want `w.buf is used after Put`
func element(w *writer)          { pool.Put(w.data); w.data[0] = 1 }                           // want `w.data is used after Put`
func address(w *writer)          { pool.Put(&w.data); w.data[0] = 1 }                          // want `w.data .*is used after Put`
func keeps(w *writer)            { pool.Put(w.data); w.data = w.data[:0] }                     // want `w.data is used after Put`
func twice(w *writer)            { pool.Put(w.buf); pool.Put(w.buf) }                          // want `w.buf is put into the pool twice`
func twoDefers(w *writer)        { defer pool.Put(w.buf); pool.Put(w.buf) }                    // want `w.buf is put into the pool twice`
func nested(w *writer) int       { pool.Put(w.in.data); return cap(w.in.data[:1]) }            // want `w.in.data is used after Put`
func linked(w *writer)           { pool.Put(w.next.buf); take(w.next.buf) }                    // want `w.next.buf is used after Put`
func local()                     { var w writer; w.buf = get(); pool.Put(w.buf); take(w.buf) } // want `w.buf is used after Put`
func get() *bytes.Buffer         { return pool.Get().(*bytes.Buffer) }                         // want `the pool has no function New`
func deferred(w *writer) []byte  { defer pool.Put(w.data); return w.data[:2] }                 // want `w.data is returned, but the deferred Put`
func (w *writer) method()        { w.pool.Put(w.data); w.w.Write(w.data) }                     // want `w.data is used after Put`
func (w *writer) bytes() []byte  { defer w.pool.Put(w.buf); return w.buf.Bytes() }             // want `w.buf is returned, but the deferred Put`
func generic[T any](x *of[T]) *T { pool.Put(x.value); return x.value }                         // want `x.value is used after Put`

type of[T any] struct{ value *T }

func closure(w *writer) []byte {
	defer func() { pool.Put(w.buf) }()
	return w.buf.Bytes() // want `w.buf is returned, but the deferred Put`
}

func lengthOfPut(w *writer) int      { pool.Put(w); return len(w.data) }   // want `w is used after Put`
func comparesField(w *writer) bool   { pool.Put(w); return w.next == nil } // want `w is used after Put`
func comparesBoth(v, w *writer) bool { pool.Put(w); return w.next == v }   // want `w is used after Put`

func loop(w *writer) {
	for {
		w.data[0]++ // want `w.data is used after Put`
		pool.Put(w.data)
	}
}

func branch(w *writer) {
	if cond() {
		pool.Put(w.buf)
	}
	take(w.buf) // want `w.buf is used after Put`
}

func early(w *writer) error {
	if _, err := w.w.Write(w.data); err != nil {
		pool.Put(w.data)
		sink("short write", w.data) // want `w.data is used after Put`
		return err
	}
	pool.Put(w.data)
	w.data = nil
	return nil
}

func ofField(w *writer) {
	out := w.buf.Bytes()
	pool.Put(w.buf)
	sink(out) // want `out shares memory with w.buf, and is used after Put`
}

func alias(w *writer) {
	b := w.buf
	pool.Put(b)
	w.buf.Reset() // want `w.buf is used after Put`
}

func stored(w *writer) {
	b := get()
	w.buf = b
	pool.Put(b)
	w.buf.Reset() // want `w.buf shares memory with b, and is used after Put`
}

func storedTwice(w *writer) {
	w.data = pool.Get().([]byte)
	b := w.data
	pool.Put(w.data)
	pool.Put(b) // want `b is put into the pool twice`
}

func helper(w *writer)       { putData(w.data); w.data[0] = 1 } // want `w.data is used after putData`
func release(w *writer)      { w.release(); w.buf.Reset() }     // want `w.buf is used after release`
func free(w *writer)         { free2(w); w.buf.Reset() }        // want `w.buf is used after free2`
func releaseTwice(w *writer) { w.release(); w.release() }       // want `w.buf is put into the pool twice`
func elsewhere(r *g.Record)  { r.Close(); r.Data[0] = 1 }       // want `r.Data is used after Close`
func putData(b []byte)       { pool.Put(b) }
func free2(w *writer)        { pool.Put(w.buf) }
func (w *writer) release() {
	if w.buf != nil {
		pool.Put(w.buf)
	}
}
func (w *writer) count() { w.n++ }

func deferredRelease(w *writer) []byte {
	defer w.release()
	return w.buf.Bytes() // want `w.buf is returned, but the deferred release`
}

func counts(w *writer) {
	pool.Put(w.buf)
	w.count()
	take(w.buf) // want `w.buf is used after Put`
}

func goPut(w *writer) {
	go func() { sink(w.buf) }()
	pool.Put(w.buf) // want `w.buf is put into the pool while a goroutine may still use it`
}

// Clean functions.

func cleared(w *writer)           { pool.Put(w.buf); w.buf = nil; sink(w.buf) }
func replaced(w *writer)          { pool.Put(w.buf); w.buf = get(); w.buf.Reset() }
func other(w *writer)             { pool.Put(w.buf); w.data[0] = 1; sink(w) }
func others(v, w *writer)         { pool.Put(v.buf); w.buf.Reset() }
func another(w *writer)           { pool.Put(w.buf); w = w.next; w.buf.Reset() }
func through(v, w *writer)        { pool.Put(w.buf); v.buf = get(); w.buf.Reset() }
func whole(w *writer)             { pool.Put(w.buf); *w = writer{}; sink(w.buf) }
func reset(w *writer)             { pool.Put(w.buf); w.reset(); take(w.buf) }
func resets(w *writer)            { pool.Put(w.buf); w.resets(); take(w.buf) }
func callback(w *writer)          { pool.Put(w.buf); w.log("put"); take(w.buf) }
func locked(w *writer)            { pool.Put(w.buf); w.mu.Lock(); take(w.buf) }
func waits(w *writer)             { pool.Put(w.buf); <-w.done; take(w.buf) }
func length(w *writer) int        { pool.Put(w.data); return len(w.data) }
func compare(w *writer) bool      { pool.Put(w.buf); return w.buf != nil }
func empty(w *writer)             { pool.Put(w.in.data); w.in = inner{}; sink(w.in.data) }
func (w *writer) reset()          { w.buf = get() }
func (w *writer) resets()         { w.reset() }
func (w *writer) closes()         { pool.Put(w.buf); w.buf = nil }
func closesTwice(w *writer)       { w.closes(); w.closes() }
func (w *writer) releaseAndZero() { pool.Put(w.buf); w.reset() }
func zeroed(w *writer)            { w.releaseAndZero(); take(w.buf) }
func text(w *writer) string       { defer pool.Put(w.buf); return w.buf.String() }

func swapped(w *writer) {
	b := w.buf
	w.buf = nil
	pool.Put(b)
	take(w.buf)
}

func detached(w *writer) {
	b := w.buf
	w.reset()
	pool.Put(b)
	take(w.buf)
}

func setter(w *writer) {
	renew := func() { w.buf = get() }
	pool.Put(w.buf)
	renew()
	take(w.buf)
}

func all(writers []*writer) {
	for _, w := range writers {
		take(w.buf)
		pool.Put(w.buf)
	}
}

func list(w *writer) {
	for w != nil {
		take(w.buf)
		pool.Put(w.buf)
		w = w.next
	}
}

func unlocked(w *writer) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := append([]byte(nil), w.data...)
	pool.Put(w.data)
	w.data = nil
	return out
}

// Fields that a variable takes along, since they are filled again.

type encoder struct {
	buf   []byte
	given []byte
}

func newEncoder() *encoder {
	e := pool.Get().(*encoder)
	e.buf = e.buf[:0]
	return e
}

func putEncoder(e *encoder)  { e.given = nil; pool.Put(e) }
func freeEncoder(e *encoder) { e.buf = nil; pool.Put(e) }
func (e *encoder) clear()    { e.buf = nil }

func encoded() []byte {
	e := newEncoder()
	defer pool.Put(e)
	e.buf = append(e.buf, 1)
	return e.buf // want `e.buf is returned, but the deferred Put`
}

func encodedByHelper() []byte {
	e := newEncoder()
	defer putEncoder(e)
	return e.buf[1:] // want `e.buf is returned, but the deferred putEncoder`
}

func encodedAlias() []byte {
	e := newEncoder()
	out := append(e.buf, 1)
	e.buf = out
	out = e.buf
	pool.Put(e)
	return out // want `out shares memory with e, and is used after Put`
}

func given(b []byte) []byte {
	e := newEncoder()
	defer pool.Put(e)
	e.given = b
	return e.given
}

func foreign(r *g.Line) []byte {
	defer g.PutLine(r)
	r.B = append(r.B, 1)
	return r.B // want `r.B is returned, but the deferred PutLine`
}

func taken() []byte {
	e := newEncoder()
	defer pool.Put(e)
	out := e.buf
	e.buf = nil
	return out
}

func freed() []byte {
	e := newEncoder()
	defer freeEncoder(e)
	return e.buf
}

func clearedLater() []byte {
	e := newEncoder()
	defer pool.Put(e)
	defer e.clear()
	return e.buf
}

func clearedInLiteral() []byte {
	e := newEncoder()
	defer pool.Put(e)
	defer func() { e.buf = nil }()
	return e.buf
}

// Variables that outlive a function.

var global []byte

func toGlobal(b *bytes.Buffer) {
	defer pool.Put(b)
	global = b.Bytes() // want `memory of b is kept in the package's variable global, but the function gives it back`
}

func toOuter() []byte {
	var out []byte
	func() {
		b := get()
		out = b.Bytes()
		pool.Put(b)
	}()
	return out // want `out shares memory with b, and is used after Put`
}

func scratch() {
	var out []byte
	each(func() {
		b := get()
		defer pool.Put(b)
		out = b.Bytes()
		sink(out)
	})
}

func copiedOut() []byte {
	var out []byte
	each(func() {
		b := get()
		defer pool.Put(b)
		out = b.Bytes()
		out = bytes.Clone(out)
	})
	return out
}

func each(f func()) { f() }

// Variables that a closure captures.

func captured() {
	b := get()
	defer func() {
		pool.Put(b)
		b.Reset() // want `b is used after Put`
	}()
}

func capturedAndSet(next chan *bytes.Buffer) {
	b := get()
	go func() {
		pool.Put(b)
		next <- nil
		b.Reset()
	}()
	b = <-next
}
