package a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"
)

const limit = 64 << 10

func sink(...any) {}

// bytes.Buffer.

var pool1 = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func straight(v any) {
	b := pool1.Get().(*bytes.Buffer)
	b.Reset()
	fmt.Fprint(b, v)
	pool1.Put(b) // want `the pool keeps b at any capacity`
}

var pool2 sync.Pool

func deferred(v any) string {
	b := pool2.Get().(*bytes.Buffer)
	defer pool2.Put(b) // want `the pool keeps b at any capacity`
	b.Reset()
	json.NewEncoder(b).Encode(v)
	return b.String()
}

var pool3 sync.Pool

func inClosure(r io.Reader) {
	b := pool3.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		pool3.Put(b) // want `the pool keeps b at any capacity`
	}()
	b.ReadFrom(r)
}

var pool4 sync.Pool

func get4() *bytes.Buffer { return pool4.Get().(*bytes.Buffer) }
func put4(b *bytes.Buffer) {
	b.Reset()
	pool4.Put(b) // want `the pool keeps b at any capacity`
}

type server struct{ pool sync.Pool }

func (s *server) handle(r io.Reader) {
	b := s.pool.Get().(*bytes.Buffer)
	if _, err := b.ReadFrom(r); err != nil {
		s.pool.Put(b) // want `the pool keeps b at any capacity`
		return
	}
	b.Reset()
	s.pool.Put(b) // want `the pool keeps b at any capacity`
}

type of[T any] struct{ pool sync.Pool }

func (p *of[T]) Get() T  { return p.pool.Get().(T) }
func (p *of[T]) Put(v T) { p.pool.Put(v) }

var pool5 of[*bytes.Buffer]

func wrapped(r io.Reader) {
	b := pool5.Get()
	b.Reset()
	b.ReadFrom(r)
	pool5.Put(b) // want `the pool keeps b at any capacity`
}

type embedded struct{ sync.Pool }

func (e *embedded) release(b *bytes.Buffer) { b.Reset(); e.Put(b) } // want `the pool keeps b at any capacity`

// Slices.

var pool6 sync.Pool

func slice(all []int) {
	p := pool6.Get().(*[]byte)
	b := (*p)[:0]
	for _, n := range all {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	*p = b
	pool6.Put(p) // want `the pool keeps p at any capacity`
}

var pool7 sync.Pool

func put7(b []byte) {
	b = b[:0]
	pool7.Put(&b) // want `the pool keeps b at any capacity`
}

var pool8 sync.Pool

func byValue(all []string) {
	b := pool8.Get().([]string)
	b = append(b[:0], all...)
	pool8.Put(b) // want `the pool keeps b at any capacity`
}

var pool9 sync.Pool

func make9(n int, r io.Reader) {
	p := pool9.Get().(*[]byte)
	if cap(*p) < n {
		*p = make([]byte, n)
	}
	io.ReadFull(r, (*p)[:n])
	pool9.Put(p) // want `the pool keeps p at any capacity`
}

var pool10 sync.Pool

func throughHelper(v []byte) {
	p := pool10.Get().(*[]byte)
	*p = encode((*p)[:0], v)
	pool10.Put(p) // want `the pool keeps p at any capacity`
}

func encode(dst, v []byte) []byte { return append(dst, v...) }

// Structs.

type encoder struct {
	bytes.Buffer
	depth int
}

var pool11 sync.Pool

func encodeAll(v any) {
	e := pool11.Get().(*encoder)
	e.Reset()
	fmt.Fprint(e, v)
	pool11.Put(e) // want `the pool keeps e.Buffer at any capacity`
}

type line struct {
	buf  []byte
	args [8]byte
}

func (l *line) reset() { l.buf = l.buf[:0] }

var pool12 sync.Pool

func writeLine(text string) {
	l := pool12.Get().(*line)
	l.reset()
	l.buf = append(l.buf, text...)
	pool12.Put(l) // want `the pool keeps l.buf at any capacity`
}

type scratch struct{ words []byte }

var pool13 sync.Pool

func split(all []byte) {
	s := pool13.Get().(*scratch)
	defer func() {
		*s = scratch{words: s.words[:0]}
		pool13.Put(s) // want `the pool keeps s.words at any capacity`
	}()
	s.words = append(s.words, all...)
}

type message struct{ body *bytes.Buffer }

var pool14 sync.Pool

func send(r io.Reader) {
	m := pool14.Get().(*message)
	m.body.Reset()
	m.body.ReadFrom(r)
	pool14.Put(m) // want `the pool keeps m.body at any capacity`
}

var pool16 sync.Pool

func read16(r io.Reader) ([]byte, error) {
	p := pool16.Get().(*[]byte)
	defer func() {
		*p = (*p)[:0]
		pool16.Put(p) // want `the pool keeps p at any capacity`
	}()
	for {
		if len(*p) == cap(*p) {
			*p = append(*p, 0)[:len(*p)]
		}
		n, err := r.Read((*p)[len(*p):cap(*p)])
		*p = (*p)[:len(*p)+n]
		if err != nil {
			return bytes.Clone(*p), err
		}
	}
}

// containerd/stargz-snapshotter#448: buffers of unbounded size.
type directoryCache struct{ bufPool *sync.Pool }

func (dc *directoryCache) Add(r io.Reader) error {
	b := dc.bufPool.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := io.Copy(b, r); err != nil {
		dc.bufPool.Put(b) // want `the pool keeps b at any capacity`
	}
	return nil
}

// uber-go/zap#1130: a buffer that returns itself to its pool.
type line2 struct {
	bs   []byte
	pool *of[*line2]
}

var pool17 of[*line2]

func (l *line2) AppendString(s string) { l.bs = append(l.bs, s...) }
func (l *line2) Free()                 { l.bs = l.bs[:0]; pool17.Put(l) } // want `the pool keeps l.bs at any capacity`

// Clean functions.

var clean1 sync.Pool

func limited(v any) {
	b := clean1.Get().(*bytes.Buffer)
	b.Reset()
	fmt.Fprint(b, v)
	if b.Cap() <= limit {
		clean1.Put(b)
	}
}

var clean2 sync.Pool

func put2(b []byte) {
	if cap(b) > limit {
		return
	}
	clean2.Put(&b)
}

var clean3 sync.Pool

func fixed(w io.Writer, r io.Reader) {
	p := clean3.Get().(*[]byte)
	io.CopyBuffer(w, r, *p)
	clean3.Put(p)
}

var clean4 sync.Pool

func putLimited(b *bytes.Buffer) {
	if small(b) {
		clean4.Put(b)
	}
}

func small(b *bytes.Buffer) bool { return b.Cap() < limit }

var clean5 sync.Pool

func dropped(all []byte) {
	l := clean5.Get().(*line)
	l.buf = append(l.buf, all...)
	l.buf = nil
	clean5.Put(l)
}

var clean6 sync.Pool

func notKept(all []byte) {
	p := clean6.Get().(*[]byte)
	b := append((*p)[:0], all...)
	sink(b)
	clean6.Put(p)
}

var clean7 sync.Pool

func zeroed(all []byte) {
	l := clean7.Get().(*line)
	l.buf = append(l.buf, all...)
	*l = line{}
	clean7.Put(l)
}

var clean8 = [3]sync.Pool{}

func classify(b []byte) {
	b = b[:0]
	switch {
	case cap(b) <= 1024:
		clean8[0].Put(&b)
	case cap(b) <= limit:
		clean8[1].Put(&b)
	}
}

var clean9 sync.Pool

func number() {
	n := clean9.Get().(*int)
	*n++
	clean9.Put(n)
}

var clean10 sync.Pool

func formatted(f float64) string {
	p := clean10.Get().(*[]byte)
	defer clean10.Put(p)
	*p = appendFloat((*p)[:0], f)
	return string(*p)
}

func appendFloat(b []byte, f float64) []byte {
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	return append(b, '.', '0')
}

type closer struct{ buf *bytes.Buffer }

var clean11, pool15 sync.Pool

func (c *closer) Close() {
	if c.buf.Cap() <= limit {
		c.buf.Reset()
		clean11.Put(c.buf)
	}
	c.buf = nil
}

func (c *closer) Discard() {
	c.buf.Reset()
	pool15.Put(c.buf) // want `the pool keeps the buffer at any capacity`
	c.buf = nil
}

type list struct{ fields []string }

var clean12 sync.Pool

func fields(all []string) {
	l := clean12.Get().(*list)
	l.fields = append(l.fields[:0], all...)
	clean12.Put(l)
}

var classes [4]sync.Pool

func class(i int, r io.Reader) {
	b := classes[i].Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	classes[i].Put(b)
}

type packet struct{ data []byte }

var clean13 sync.Pool

func putPacket(p *packet) {
	if cap(p.data) != limit {
		panic("wrong size")
	}
	p.data = p.data[:0]
	clean13.Put(p)
}

var clean14 sync.Pool

func getSized(n int) []byte {
	if b := clean14.Get().([]byte); cap(b) >= n {
		return b[:n]
	}
	return make([]byte, n)
}

func putSized(b []byte) {
	b = b[:0]
	clean14.Put(b)
}

var clean15 sync.Pool

func control(v6 bool) {
	p := clean15.Get().(*[]byte)
	b := (*p)[:0]
	if v6 {
		b = append(b, make([]byte, 40)...)
	} else {
		b = append(b, make([]byte, 28)...)
	}
	*p = b
	clean15.Put(p)
}

var clean16 sync.Pool

func page(count, size int) {
	var b []byte
	if count == 1 {
		b = clean16.Get().([]byte)
	} else {
		b = make([]byte, count*size)
	}
	if count == 1 {
		clean16.Put(b)
	}
}

var clean17 = sync.Pool{New: func() any { return new([]string) }}

// Groups nest a few levels deep.
func group(open *[]string, name string) { *open = append(*open, name) }

func freeGroups(open *[]string) {
	*open = (*open)[:0]
	clean17.Put(open)
}
