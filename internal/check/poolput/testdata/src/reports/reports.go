// Package reports plants faults of sync.Pool after public bug reports, each with the
// project and the number of its issue or pull request. The code is ours.
package reports

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sync"
	"unsafe"

	"example.com/h"
)

var (
	pool sync.Pool
	data = []byte("data")
)

func sink(...any)  {}
func cond() bool   { return true }
func get() []byte  { return pool.Get().([]byte) } // want `the pool has no function New`
func put(b []byte) { pool.Put(b) }

type bucketed struct {
	mu      sync.Mutex
	sizes   []int
	buckets []sync.Pool
	used    int
}

// thanos-io/thanos#4792: the capacity is read after Put.
func (p *bucketed) Put(b *[]byte) {
	for i, size := range p.sizes {
		if cap(*b) > size {
			continue
		}
		*b = (*b)[:0]
		p.buckets[i].Put(b)
		break
	}
	p.mu.Lock()
	p.used -= cap(*b) // want `b is used after Put`
	p.mu.Unlock()
}

// go-resty/resty#421: the encoder's target goes back with the return.
func marshal(v any) ([]byte, error) {
	buf := h.Get()
	defer h.Put(buf)
	_, err := buf.WriteString("x")
	return buf.Bytes(), err // want `buf is returned, but the deferred Put`
}

// syncthing/syncthing#7409: a log line mentions the buffer after Put.
func logged(debug bool) error {
	buf := get()
	if cond() {
		put(buf)
		sink("short write", buf) // want `buf is used after put`
		return io.ErrShortWrite
	}
	put(buf)
	return nil
}

// vllm-project/aibrix#2440: a callee's deferred release ends the caller's use.
func process(ctx *h.Buffer) {
	handle(ctx)
	ctx.Write(data) // want `ctx is used after handle`
}

func handle(ctx *h.Buffer) {
	defer ctx.Free()
	if cond() {
		ctx.Write(data)
	}
}

// xxddpac/go-flow#6: the consumer of a channel reads the packet later.
func capture(out chan<- *h.Buffer) {
	for cond() {
		p := pool.Get().(*h.Buffer)
		p.Write(data)
		out <- p
		pool.Put(p) // want `p is put into the pool after it was sent on a channel`
	}
}

// mozilla-services/go-syncstorage#148: the bytes of a buffer outlive its Put.
func encodeRecord(id string) []byte {
	buf := pool.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(id)
	encoded := buf.Bytes()
	pool.Put(buf)
	return encoded // want `encoded shares memory with buf, and is used after Put`
}

// aceld/zinx#109: a packet is built in pooled memory and returned.
func pack(id uint32, payload []byte) (packet []byte, err error) {
	buf := pool.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		pool.Put(buf)
	}()
	buf.WriteByte(byte(id))
	if _, err = buf.Write(payload); err != nil {
		return nil, err
	}
	packet = buf.Bytes()
	return // want `packet is returned, but the deferred Put`
}

// response is like fasthttp's.
type response struct {
	status int
	body   *body
	raw    []byte
}

type body struct{ b []byte }

var responses, bodies sync.Pool

func acquireResponse() *response { return responses.Get().(*response) } // want `the pool has no function New`

func releaseResponse(r *response) {
	r.reset()
	responses.Put(r)
}

func (r *response) reset() {
	r.status = 0
	r.raw = r.raw[:0]
	if r.body != nil {
		bodies.Put(r.body)
		r.body = nil
	}
}

func (r *response) bodyBytes() []byte {
	if r.raw != nil {
		return r.raw
	}
	return r.body.b
}

func (r *response) Body() []byte { return r.bodyBytes() }

func do(r *response) error { return nil }

// valyala/fasthttp#390: the body is read after the release.
func fetch() {
	resp := acquireResponse()
	do(resp)
	text := resp.Body()
	releaseResponse(resp)
	sink(text) // want `text shares memory with resp, and is used after releaseResponse`
}

// valyala/fasthttp#1109: the body is returned past the deferred release.
func query() []byte {
	resp := acquireResponse()
	defer releaseResponse(resp)
	for do(resp) != nil {
		sink("retry")
	}
	return resp.Body() // want `resp.raw is returned, but the deferred releaseResponse`
}

// valyala/fasthttp#955: a closure hands the body out, and releases the response.
func retried(retry func(func() error) error) ([]byte, error) {
	var text []byte
	err := retry(func() error {
		resp := acquireResponse()
		defer releaseResponse(resp)
		if err := do(resp); err != nil {
			return err
		}
		if resp.status == 200 {
			text = resp.Body()
			return nil
		}
		return io.ErrUnexpectedEOF
	})
	return text, err // want `text shares memory with resp, and is used after retry`
}

// nytimes/gziphandler#6: Close is deferred first, so it runs after Put.
func compress(w http.ResponseWriter, next http.Handler, r *http.Request) {
	gz := pool.Get().(*gzip.Writer)
	gz.Reset(w)
	defer gz.Close() // want `gz is used by this deferred call after the Put in line 197, which was deferred later and runs first`
	defer pool.Put(gz)
	next.ServeHTTP(w, r)
}

// labstack/echo#427: the writer goes back, and is then closed.
func compressOnce(w io.Writer) {
	gz := pool.Get().(*gzip.Writer)
	gz.Reset(w)
	defer func() {
		pool.Put(gz)
		gz.Close() // want `gz is used after Put`
	}()
	gz.Write(data)
}

type gzipWriter struct {
	http.ResponseWriter
	gw *gzip.Writer
}

// nytimes/gziphandler#37: Close keeps the writer, so a second Close puts it again.
func (w *gzipWriter) Close() error {
	if w.gw == nil {
		return nil
	}
	err := w.gw.Close()
	pool.Put(w.gw)
	return err
}

func serve(w http.ResponseWriter, next http.Handler, r *http.Request) {
	gz := &gzipWriter{ResponseWriter: w}
	defer gz.Close()
	next.ServeHTTP(gz, r)
	if cond() {
		gz.Close() // want `gz.gw is put into the pool twice`
	}
}

var readers sync.Pool

func newReader(r io.Reader) *bufio.Reader {
	if v := readers.Get(); v != nil {
		br := v.(*bufio.Reader)
		br.Reset(r)
		return br
	}
	return bufio.NewReader(r)
}

func putReader(br *bufio.Reader) {
	br.Reset(nil)
	readers.Put(br)
}

// openyurtio/openyurt#2774: the body of the response reads from the pooled reader.
func readHeader(r io.Reader) (*http.Response, error) {
	br := newReader(r)
	defer putReader(br)
	resp, err := http.ReadResponse(br, nil)
	if err != nil {
		return nil, err
	}
	return resp, nil // want `br is returned, but the deferred putReader`
}

// darkweak/storages#47: the body of the response reads from the pooled buffer.
func readStored(stored []byte) (*http.Response, error) {
	buf := pool.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		pool.Put(buf)
	}()
	buf.Write(stored)
	return http.ReadResponse(bufio.NewReader(buf), nil) // want `buf is returned, but the deferred Put`
}

type chain struct {
	full *bytes.Buffer
	resp *http.Response
}

func (c *chain) FullBytes() []byte { return c.full.Bytes() }

func (c *chain) Close() {
	if c.full != nil {
		pool.Put(c.full)
	}
}

// projectdiscovery/utils#709: the bytes are read after Close has released them.
func dump(c *chain) {
	full := c.FullBytes()
	c.Close()
	sink(full) // want `full shares memory with c.full, and is used after Close`
}

// event is like zerolog's.
type event struct{ buf []byte }

var events sync.Pool

func newEvent() *event {
	e := events.Get().(*event) // want `the pool has no function New`
	e.buf = e.buf[:0]
	return e
}

func putEvent(e *event) {
	if cap(e.buf) > 1<<16 {
		return
	}
	events.Put(e)
}

func (e *event) Msg(text string) {
	if e == nil {
		return
	}
	e.msg(text)
}

func (e *event) msg(text string) {
	if text != "" {
		e.buf = append(e.buf, text...)
	}
	if _, err := io.Discard.Write(e.buf); err != nil {
		sink(err)
	}
	putEvent(e)
}

// rs/zerolog#277: an event is sent twice.
func sendTwice() {
	e := newEvent()
	e.Msg("one")
	e.Msg("two") // want `e is put into the pool twice`
}

// rs/zerolog#731: a hook keeps an event that is sent afterwards.
func hook() (kept *event) {
	e := newEvent()
	kept = e
	e.Msg("text")
	return kept // want `kept shares memory with e, and is used after Msg`
}

type logger struct{ context []byte }

// rs/zerolog#594: a logger keeps the memory of the pooled buffer.
func with(l logger) logger {
	buf := pool.Get().(*bytes.Buffer)
	defer pool.Put(buf)
	buf.Write(l.context)
	return logger{context: buf.Bytes()} // want `buf is returned, but the deferred Put`
}

func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// grafana/pyroscope#5116: strings that alias a buffer outlive it.
func labelValue() string {
	buf := get()
	value := unsafeString(buf[:4])
	put(buf)
	return value // want `value shares memory with buf, and is used after put`
}

type frame struct{ state *responseState }

type responseState struct{ n int }

type connection struct{ frames chan frame }

var states sync.Pool

// golang/go#20704: a frame that is still to be written refers to the pooled state.
func (c *connection) handlerDone(s *responseState) {
	c.frames <- frame{state: s}
	states.Put(s) // want `s is put into the pool after it was sent on a channel`
}

type interim struct{ fields []string }

type segment struct{ fields []string }

func (s *interim) reset() { s.fields = s.fields[:0] }

// blevesearch/bleve#847: a segment keeps a slice that the pooled value fills again.
func newSegment() *segment {
	s := pool.Get().(*interim)
	defer pool.Put(s)
	s.reset()
	s.fields = append(s.fields, "id")
	return &segment{fields: s.fields} // want `s.fields is returned, but the deferred Put`
}

type engine struct{ handlers []func(*engine, *context) }

type context struct{ path string }

func (e *engine) ServeHTTP() {
	c := pool.Get().(*context)
	e.run(c)
	pool.Put(c) // missed: gin-gonic/gin#1230: a handler, called through a variable, has put c already
}

func (e *engine) run(c *context) {
	for _, handler := range e.handlers {
		handler(e, c)
	}
}

func redirect(e *engine, c *context) {
	c.path = "/other"
	e.handleContext(c)
}

func (e *engine) handleContext(c *context) {
	e.run(c)
	pool.Put(c)
}

type codec interface {
	Unmarshal(data []byte, to any) error
}

type message struct{ raw []byte }

func receive(c codec) (*message, error) {
	buf := get()
	defer put(buf)
	m := new(message)
	err := c.Unmarshal(buf, m)
	return m, err // missed: yarpc/yarpc-go#2366: the codec, an interface, keeps the bytes in m
}
