package callbacks

import (
	"bytes"
	"slices"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func use(f func(*bytes.Buffer)) {
	b := buffers.Get().(*bytes.Buffer)
	f(b)
	b.Reset()
	buffers.Put(b)
}

func carriedOut(words []string) (out []byte) {
	use(func(b *bytes.Buffer) {
		b.WriteString(words[0])
		out = b.Bytes()
	})
	return out // want `out is used after use`
}

func clonedOut(words []string) (out []byte) {
	use(func(b *bytes.Buffer) {
		b.WriteString(words[0])
		out = bytes.Clone(b.Bytes())
	})
	return out
}

type event struct{ data []byte }

type hook interface{ Run(*event) }

type recorder struct{ last *event }

func (r *recorder) Run(e *event) { r.last = e }

var events = sync.Pool{New: func() any { return new(event) }}

type logger struct{ hook hook }

func recorded() *logger { return &logger{&recorder{}} }

func (l *logger) log() {
	e := events.Get().(*event)
	e.data = e.data[:0]
	l.hook.Run(e)
	events.Put(e) // want `memory of e is kept`
}

type pair struct {
	key   string
	value any
}

var pairs = sync.Pool{New: func() any { s := make([]pair, 0, 8); return &s }}

type processor struct{ batch [][]pair }

func (p *processor) emit(all []pair) { p.batch = append(p.batch, all) }

func (p *processor) cloned(values map[string]any) {
	buf := pairs.Get().(*[]pair)
	for k, v := range values {
		*buf = append(*buf, pair{k, v})
	}
	p.emit(slices.Clone(*buf))
	clear(*buf)
	*buf = (*buf)[:0]
	pairs.Put(buf)
}
