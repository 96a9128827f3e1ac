package b

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"
	"unsafe"

	"example.com/h"
)

var (
	pool    sync.Pool
	generic h.Of[*bytes.Buffer]
	data    = []byte("data")
)

func sink(...any)  {}
func cond() bool   { return true }
func get() []byte  { return pool.Get().([]byte) }
func put(b []byte) { pool.Put(b) }

// By way of memory that another variable shares.

func bytesOf(b *bytes.Buffer) {
	out := b.Bytes()
	pool.Put(b)
	sink(out) // want `out shares memory with b, and is used after Put`
}

func bytesDeferred() []byte {
	b := h.Get()
	defer pool.Put(b)
	out := b.Bytes()
	return out // want `b is returned, but the deferred Put`
}

func trimmed() []byte {
	b := h.Get()
	defer pool.Put(b)
	return bytes.TrimSpace(b.Bytes()) // want `b is returned, but the deferred Put`
}

func reader() io.Reader {
	b := h.Get()
	defer h.Put(b)
	return bytes.NewReader(b.Bytes()) // want `b is returned, but the deferred Put`
}

type response struct {
	n    int
	body []byte
}

func inStruct() *response {
	b := h.Get()
	defer h.Put(b)
	return &response{n: b.Len(), body: b.Bytes()} // want `b is returned, but the deferred Put`
}

func pointer() []byte {
	p := pool.Get().(*[]byte)
	defer pool.Put(p)
	b := append((*p)[:0], data...)
	*p = b
	return *p // want `p is returned, but the deferred Put`
}

func asserted() {
	v := pool.Get()
	b := v.(*bytes.Buffer)
	pool.Put(v)
	b.Reset() // want `b shares memory with v, and is used after Put`
}

func alias(b *bytes.Buffer) {
	c := b
	pool.Put(c)
	b.Reset() // want `b is used after Put`
}

func aliasTwice(b *bytes.Buffer) {
	c := b
	pool.Put(b)
	pool.Put(c) // want `c is put into the pool twice`
}

func view(b []byte) string {
	s := unsafe.String(&b[0], len(b))
	put(b)
	return s // want `s shares memory with b, and is used after put`
}

func old(b []byte) string {
	defer put(b)
	return *(*string)(unsafe.Pointer(&b[0])) // want `b is returned`
}

func wrappedBuffer() []byte {
	b := pool.Get().(*wrapper)
	defer pool.Put(b)
	return b.Bytes() // want `b is returned, but the deferred Put`
}

func inside(b *wrapper) []byte {
	defer pool.Put(b)
	return b.head.Bytes() // want `b is returned, but the deferred Put`
}

func nopCloser() io.ReadCloser {
	b := h.Get()
	defer h.Put(b)
	return io.NopCloser(b) // want `b is returned, but the deferred Put`
}

func limited(b *bytes.Buffer) {
	r := io.LimitReader(b, 10)
	h.Put(b)
	io.Copy(io.Discard, r) // want `r shares memory with b, and is used after Put`
}

type wrapper struct {
	bytes.Buffer
	head bytes.Buffer
}

// A deferred call that runs after Put.

func closeAfterPut(w *gzip.Writer) {
	defer w.Close()
	w.Write(data)
	pool.Put(w) // want `w is put into the pool before a deferred call uses it`
}

func closeAfterDeferredPut(w *gzip.Writer) {
	defer w.Close() // want `w is used by this deferred call after the Put`
	defer pool.Put(w)
	w.Write(data)
}

func deferredArgument(b *bytes.Buffer) {
	defer sink(b.Bytes())
	h.Put(b) // want `b is put into the pool before a deferred call uses it`
}

func closeBeforePut(w *gzip.Writer) {
	defer pool.Put(w)
	defer w.Close()
	w.Write(data)
}

func deferredText(b *bytes.Buffer) {
	defer sink(b.String())
	h.Put(b)
}

func deferredOther(w *gzip.Writer) {
	defer w.Close()
	w = gzip.NewWriter(nil)
	pool.Put(w)
}

func retargeted(b, other *bytes.Buffer) {
	r := bytes.NewReader(b.Bytes())
	h.Put(b)
	r.Reset(other.Bytes())
}

// Through helpers.

func helper(b *bytes.Buffer)         { h.Put(b); b.Reset() }                           // want `b is used after Put`
func helperDeferred(b *bytes.Buffer) { h.PutDeferred(b); b.Reset() }                   // want `b is used after PutDeferred`
func helperClosure(b *bytes.Buffer)  { h.PutInClosure(b); b.Reset() }                  // want `b is used after PutInClosure`
func helperThrough(b *bytes.Buffer)  { h.PutThrough(b); b.Reset() }                    // want `b is used after PutThrough`
func helperAny(b *bytes.Buffer)      { h.PutAny(b); b.Reset() }                        // want `b is used after PutAny`
func helperSlice(b []byte)           { h.PutSlice(b); b[0] = 1 }                       // want `b is used after PutSlice`
func helperClass(b []byte)           { h.PutClass(b); b[0] = 1 }                       // want `b is used after PutClass`
func local()                         { b := get(); put(b); sink(b) }                   // want `b is used after put`
func wrapped()                       { b := generic.Get(); generic.Put(b); b.Reset() } // want `b is used after Put`
func freed(b *h.Buffer)              { b.Free(); b.Write(data) }                       // want `b is used after Free`
func freedTwice(b *h.Buffer)         { defer b.Free(); b.Free() }                      // want `b is put into the pool twice`
func helperTwice(b *bytes.Buffer)    { h.Put(b); pool.Put(b) }                         // want `b is put into the pool twice`

func freedBytes(b *h.Buffer) []byte {
	defer b.Free()
	b.Write(data)
	return b.Bytes() // want `b.bs is returned, but the deferred Free`
}

func named() (out []byte) {
	b := h.Get()
	defer h.Put(b)
	out = b.Bytes()
	return // want `out is returned, but the deferred Put`
}

func deferredClosure() []byte {
	b := h.Get()
	defer func() {
		b.Reset()
		pool.Put(b)
	}()
	return b.Bytes() // want `b is returned, but the deferred Put`
}

func deferredClosureTwice(fail bool) {
	b := h.Get()
	defer func() { pool.Put(b) }()
	if fail {
		pool.Put(b) // want `b is put into the pool twice`
		return
	}
	b.Reset()
}

func read(b *bytes.Buffer) {
	each(func() { b.Reset() })
	pool.Put(b)
	b.Reset() // want `b is used after Put`
}

func each(f func()) { f() }

func earlyExit(r io.Reader) error {
	b := h.Get()
	if _, err := b.ReadFrom(r); err != nil {
		h.Put(b)
		sink(b.String()) // want `b is used after Put`
		return err
	}
	h.Put(b)
	return nil
}

func erring(b *h.Buffer) error {
	err := b.Send()
	b.Write(data) // want `b is used after Send`
	return err
}

func erringTwice(b *h.Buffer) error {
	if err := b.Send(); err == nil {
		return b.Send() // want `b is put into the pool twice`
	}
	return nil
}

func exchanged(b *h.Buffer) {
	b = b.Next()
	b.Write(data)
}

// By a closure with a name.

func release(b *bytes.Buffer) {
	free := func() { pool.Put(b) }
	free()
	b.Reset() // want `b is used after free`
}

func releaseTwice(b *bytes.Buffer) {
	free := func() { h.Put(b) }
	defer free()
	if cond() {
		free() // want `b is put into the pool twice`
	}
}

func releaseReturned(b *bytes.Buffer) []byte {
	free := func() {
		b.Reset()
		pool.Put(b)
	}
	defer free()
	return b.Bytes() // want `b is returned, but the deferred free`
}

func releaseMaybe(b *bytes.Buffer, keep bool) {
	free := func() {
		if !keep {
			pool.Put(b)
		}
	}
	free()
	b.Reset()
}

func releaseOther(b *bytes.Buffer) {
	free := func() { pool.Put(b) }
	free = func() {}
	free()
	b.Reset()
}

// In a goroutine that still runs.

func goPut() {
	b := h.Get()
	go func() { sink(b.Bytes()) }()
	pool.Put(b) // want `b is put into the pool while a goroutine may still use it`
}

func goDeferred() {
	b := h.Get()
	defer h.Put(b) // want `b is put into the pool while a goroutine may still use it`
	go sink(b)
	if cond() {
		return
	}
	sink()
}

func goLaterDefer() {
	b := h.Get()
	go func() { sink(b) }()
	defer h.Put(b) // want `b is put into the pool while a goroutine may still use it`
}

func goGroup(g *sync.WaitGroup) {
	b := h.Get()
	g.Go(func() { sink(b) })
	h.Put(b) // want `b is put into the pool while a goroutine may still use it`
}

func goPuts() {
	b := h.Get()
	go func() {
		defer h.Put(b)
		sink(b)
	}()
	b.Reset() // want `b is used while a goroutine may already have put it`
}

func goLoop() {
	for range 3 {
		b := h.Get()
		go func() { sink(b) }()
		h.Put(b) // want `b is put into the pool while a goroutine may still use it`
	}
}

func sent(c chan *bytes.Buffer) {
	b := h.Get()
	c <- b
	h.Put(b) // want `b is put into the pool after it was sent on a channel`
}

func sentBytes(c chan []byte) {
	b := h.Get()
	defer h.Put(b)
	c <- b.Bytes() // want `b is sent on a channel, but the deferred Put gives it back to the pool`
}

func sentOrPut(c chan *bytes.Buffer) {
	b := h.Get()
	select {
	case c <- b:
	default:
		h.Put(b)
	}
}

func sentAndAnswered(c chan *bytes.Buffer, answer chan bool) {
	b := h.Get()
	c <- b
	<-answer
	h.Put(b)
}

func goWaits() {
	b := h.Get()
	done := make(chan bool)
	go func() { sink(b); close(done) }()
	<-done
	pool.Put(b)
}

func goWaitsGroup() {
	var g sync.WaitGroup
	b := h.Get()
	defer h.Put(b)
	g.Go(func() { sink(b) })
	g.Wait()
}

func goOwns(b *bytes.Buffer) {
	if cond() {
		go func() { sink(b); h.Put(b) }()
		return
	}
	sink(b)
	h.Put(b)
}

func goEach(all []*bytes.Buffer) {
	for _, b := range all {
		go func() { sink(b); h.Put(b) }()
	}
}

// Clean functions.

func counted(b *h.Buffer)        { b.Release(); b.Write(data) }
func optional(b *h.Buffer)       { b.Maybe(true); b.Write(data) }
func copied(b *h.Buffer) string  { defer b.Free(); return string(b.Bytes()) }
func text(b *h.Buffer) string    { defer b.Free(); return h.Text(b.Bytes()) }
func cloned(b *h.Buffer) []byte  { defer b.Free(); return bytes.Clone(b.Bytes()) }
func another(b *h.Buffer)        { b.Free(); b = new(h.Buffer); b.Write(data) }
func otherField(r *response) int { defer pool.Put(r); return r.n }

func moved(b *bytes.Buffer) []byte {
	out := b.Bytes()
	out = append([]byte(nil), out...)
	pool.Put(b)
	return out
}

func replaced() []byte {
	b := h.Get()
	out := b.Bytes()
	b = new(bytes.Buffer)
	pool.Put(b)
	return out
}

func gotAgain(b *bytes.Buffer) {
	h.Put(b)
	if again := h.Get(); again == b {
		b.Reset()
	}
}

func comparedWithNil(b *bytes.Buffer) {
	h.Put(b)
	if b != nil {
		b.Reset() // want `b is used after Put`
	}
}

func alwaysNil() {
	var b *h.Buffer
	b.Free()
	b.Free()
	var c *h.Buffer = nil
	c.Free()
	c.Free()
}

func nilAtFirst() {
	var b *h.Buffer
	if b = new(h.Buffer); cond() {
		b.Free()
		b.Free() // want `b is put into the pool twice`
	}
}

func assignedInClosure(b *bytes.Buffer) {
	renew := func() { b = new(bytes.Buffer) }
	pool.Put(b)
	renew()
	b.Reset()
}

func onError(err error) *bytes.Buffer {
	b := h.Get()
	defer func() {
		if err != nil {
			pool.Put(b)
		}
	}()
	return b
}

func typed(v any) {
	switch v := v.(type) {
	case *bytes.Buffer:
		pool.Put(v)
	case *h.Buffer:
		v.Free()
	}
}
