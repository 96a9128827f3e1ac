package a

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
)

func sink(...any) {}

// Buffers.

var pool1 sync.Pool

func written(s string) {
	b := pool1.Get().(*bytes.Buffer)
	b.WriteString(s)
	sink(b.Bytes())
	pool1.Put(b) // want `b goes back to the pool with its contents`
}

var pool2 sync.Pool

func printed(v any) string {
	b := pool2.Get().(*bytes.Buffer)
	defer pool2.Put(b) // want `b goes back to the pool with its contents`
	fmt.Fprintf(b, "%v", v)
	return b.String()
}

var pool3 sync.Pool

func inClosure(r io.Reader) {
	b := pool3.Get().(*bytes.Buffer)
	defer func() {
		pool3.Put(b) // want `b goes back to the pool with its contents`
	}()
	b.ReadFrom(r)
}

var pool4 sync.Pool

func get4() *bytes.Buffer  { return pool4.Get().(*bytes.Buffer) }
func put4(b *bytes.Buffer) { pool4.Put(b) } // want `b goes back to the pool with its contents`

func throughHelpers(s string) {
	b := get4()
	defer put4(b)
	b.WriteString(s)
}

type server struct{ pool sync.Pool }

func (s *server) handle(r io.Reader) {
	b := s.pool.Get().(*strings.Builder)
	b.WriteByte('x')
	s.pool.Put(b) // want `b goes back to the pool with its contents`
}

type of[T any] struct{ pool sync.Pool }

func (p *of[T]) Get() T  { return p.pool.Get().(T) }
func (p *of[T]) Put(v T) { p.pool.Put(v) }

var pool5 of[*bytes.Buffer]

func wrapped(s string) {
	b := pool5.Get()
	write(b, s)
	pool5.Put(b) // want `b goes back to the pool with its contents`
}

func write(b *bytes.Buffer, s string) { b.WriteString(s) }

var pool6 sync.Pool

func checked(s string) {
	b, ok := pool6.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.WriteString(s)
	pool6.Put(b) // want `b goes back to the pool with its contents`
}

// Other types that have a method Reset.

var pool7 sync.Pool

func reader(r io.Reader) {
	b := pool7.Get().(*bufio.Reader)
	b.ReadString('\n')
	pool7.Put(b) // want `b goes back to the pool with its contents`
}

var pool8 sync.Pool

func sum(p []byte) []byte {
	h := pool8.Get().(hash.Hash)
	defer pool8.Put(h) // want `h goes back to the pool with its contents`
	h.Write(p)
	return h.Sum(nil)
}

type own struct{ text []string }

func (o *own) Reset()         { o.text = o.text[:0] }
func (o *own) Write(s string) { o.text = append(o.text, s) }

var pool9 sync.Pool

func ownType(s string) {
	o := pool9.Get().(*own)
	o.Write(s)
	pool9.Put(o) // want `o goes back to the pool with its contents`
}

// Slices and maps.

var pool10 sync.Pool

func appended(all []byte) {
	p := pool10.Get().(*[]byte)
	*p = append(*p, all...)
	sink(*p)
	pool10.Put(p) // want `p goes back to the pool with its contents`
}

var pool11 sync.Pool

func appendedByValue(all []string) {
	s := pool11.Get().([]string)
	for _, v := range all {
		s = append(s, v)
	}
	pool11.Put(s) // want `s goes back to the pool with its contents`
}

var pool12 sync.Pool

func set(keys []string) {
	m := pool12.Get().(map[string]bool)
	for _, k := range keys {
		m[k] = true
	}
	pool12.Put(m) // want `m goes back to the pool with its contents`
}

// Structs.

type record struct {
	items []string
	tags  map[string]string
	buf   bytes.Buffer
	inner struct{ out strings.Builder }
	n     int
}

var pool13 sync.Pool

func items(s string) {
	r := pool13.Get().(*record)
	r.items = append(r.items, s)
	pool13.Put(r) // want `r.items goes back to the pool with its contents`
}

var pool14 sync.Pool

func tags(k, v string) {
	r := pool14.Get().(*record)
	defer pool14.Put(r) // want `r.tags goes back to the pool with its contents`
	r.n = 0
	r.tags[k] = v
}

var pool15 sync.Pool

func buf(s string) {
	r := pool15.Get().(*record)
	r.buf.WriteString(s)
	r.items = nil
	pool15.Put(r) // want `r.buf goes back to the pool with its contents`
}

var pool16 sync.Pool

func inner(s string) {
	r := pool16.Get().(*record)
	r.inner.out.WriteString(s)
	pool16.Put(r) // want `r.inner.out goes back to the pool with its contents`
}

func (r *record) add(s string) { r.items = append(r.items, s) }

var pool17 sync.Pool

func method(s string) {
	r := pool17.Get().(*record)
	r.add(s)
	pool17.Put(r) // want `r.items goes back to the pool with its contents`
}

type embedding struct{ bytes.Buffer }

var pool18 sync.Pool

func embedded(s string) {
	e := pool18.Get().(*embedding)
	e.WriteString(s)
	pool18.Put(e) // want `e.Buffer goes back to the pool with its contents`
}

type request struct{ Puts []string }

var pool19 sync.Pool

func decoded(body []byte) {
	r := pool19.Get().(*request)
	defer pool19.Put(r) // want `r goes back to the pool with its contents`
	json.Unmarshal(body, r)
}

var pool20 sync.Pool

func decodedStream(in io.Reader) {
	r := pool20.Get().(*request)
	xml.NewDecoder(in).Decode(r)
	pool20.Put(r) // want `r goes back to the pool with its contents`
}

var pool21 sync.Pool

func decodedReader(in io.Reader) {
	r := pool21.Get().(*request)
	json.NewDecoder(in).Decode(r)
	pool21.Put(r) // want `r goes back to the pool with its contents`
}

// Clean functions.

var clean1 sync.Pool

func resetAfterGet(s string) {
	b := clean1.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	clean1.Put(b)
}

var clean2 sync.Pool

func resetBeforePut(s string) {
	b := clean2.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		clean2.Put(b)
	}()
	b.WriteString(s)
}

var clean3 sync.Pool

func getClean() *bytes.Buffer {
	b := clean3.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func useClean(s string) {
	b := getClean()
	b.WriteString(s)
	clean3.Put(b)
}

var clean4 sync.Pool

func truncated(all []byte) {
	p := clean4.Get().(*[]byte)
	*p = append((*p)[:0], all...)
	clean4.Put(p)
}

var clean5 sync.Pool

func assigned(s string) {
	r := clean5.Get().(*record)
	*r = record{}
	r.items = append(r.items, s)
	r.buf.WriteString(s)
	clean5.Put(r)
}

var clean6 sync.Pool

func cleared(k string) {
	m := clean6.Get().(map[string]bool)
	m[k] = true
	clear(m)
	clean6.Put(m)
}

var clean7 sync.Pool

func deleted(k string) {
	m := clean7.Get().(map[string]bool)
	m[k] = true
	for k := range m {
		delete(m, k)
	}
	clean7.Put(m)
}

var clean8 sync.Pool

func scratch(r io.Reader, w io.Writer) {
	p := clean8.Get().(*[]byte)
	n, _ := r.Read(*p)
	w.Write((*p)[:n])
	clean8.Put(p)
}

var clean9 sync.Pool

func drained(w io.Writer, s string) {
	b := clean9.Get().(*bytes.Buffer)
	b.WriteString(s)
	b.WriteTo(w)
	clean9.Put(b)
}

var clean10 sync.Pool

func (r *record) prepare() { r.items = r.items[:0]; r.tags = map[string]string{} }

func prepared(s string) {
	r := clean10.Get().(*record)
	r.prepare()
	r.items = append(r.items, s)
	r.tags[s] = s
	clean10.Put(r)
}

var clean11 sync.Pool

func resetTo(r io.Reader) {
	b := clean11.Get().(*bufio.Reader)
	b.Reset(r)
	b.ReadByte()
	clean11.Put(b)
}

var clean12 sync.Pool

func elsewhere(b *bytes.Buffer) { clean12.Put(b) }

var clean13 = sync.Pool{New: func() any { return map[string]string{} }}

// The contents are what the pool is for.
func intern(b []byte) string {
	m := clean13.Get().(map[string]string)
	s, ok := m[string(b)]
	if !ok {
		s = string(b)
		m[s] = s
	}
	clean13.Put(m)
	return s
}
