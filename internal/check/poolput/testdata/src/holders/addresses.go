package holders

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
)

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type shown struct {
	last atomic.Pointer[[]byte]
	text *[]byte
}

func (s *shown) wrongStore(name string) {
	b := texts.Get().(*bytes.Buffer)
	defer texts.Put(b)
	b.Reset()
	b.WriteString(name)
	text := b.Bytes()
	s.last.Store(&text) // want `memory of b is kept in what s refers to`
}

func (s *shown) wrongField(name string) {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	text := b.Bytes()
	s.text = &text // want `memory of b is kept in what s refers to`
	texts.Put(b)
}

func (s *shown) rightStore(name string) {
	b := texts.Get().(*bytes.Buffer)
	defer texts.Put(b)
	b.Reset()
	b.WriteString(name)
	text := slices.Clone(b.Bytes())
	s.last.Store(&text)
}
