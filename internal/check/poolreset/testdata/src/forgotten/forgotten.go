// Package forgotten resets pooled values with methods of its own, which leave out fields.
package forgotten

import (
	"bytes"
	"strings"
	"sync"
)

type row struct {
	n     int
	cells []string
	notes []string
	out   bytes.Buffer
	seen  map[string]int
}

func (r *row) reset() {
	if r == nil {
		return
	}
	r.n = 0
	r.cells = r.cells[:0]
}

func (r *row) text() string { return strings.Join(append(r.cells, r.notes...), ",") }

var rows = sync.Pool{New: func() any { return new(row) }}

func withNotes(cell, note string) string {
	r := rows.Get().(*row)
	r.cells = append(r.cells, cell)
	if note != "" {
		r.notes = append(r.notes, note)
	}
	text := r.text()
	r.reset()
	rows.Put(r) // want `r.notes goes back to the pool with its contents`
	return text
}

var written = sync.Pool{New: func() any { return new(row) }}

func writes(cell string) string {
	r := written.Get().(*row)
	r.reset()
	r.out.WriteString(cell)
	text := r.out.String()
	written.Put(r) // want `r.out goes back to the pool with its contents`
	return text
}

var counts = sync.Pool{New: func() any { return &row{seen: map[string]int{}} }}

// The map is a cache, as far as anybody can see.
func cached(cell string) int {
	r := counts.Get().(*row)
	r.reset()
	if r.seen[cell] == 0 {
		r.seen[cell] = len(cell)
	}
	defer counts.Put(r)
	return r.seen[cell]
}

type full struct {
	cells, notes []string
	out          bytes.Buffer
	tags         map[string]int
}

func (f *full) reset() {
	f.cells = f.cells[:0]
	f.resetNotes()
	f.out.Reset()
}

func (f *full) resetNotes() {
	for _, list := range []*[]string{&f.notes} {
		*list = (*list)[:0]
	}
}

var fulls = sync.Pool{New: func() any { return new(full) }}

func all(cell, note string) string {
	f := fulls.Get().(*full)
	f.cells = append(f.cells, cell)
	f.notes = append(f.notes, note)
	f.out.WriteString(cell)
	text := f.out.String() + strings.Join(f.cells, "") + strings.Join(f.notes, "")
	f.reset()
	fulls.Put(f)
	return text
}

type swept struct{ cells, notes []string }

func (s *swept) reset() {
	cells := s.cells[:0]
	*s = swept{cells: cells}
}

var swepts = sync.Pool{New: func() any { return new(swept) }}

func sweeps(cell, note string) string {
	s := swepts.Get().(*swept)
	s.cells, s.notes = append(s.cells, cell), append(s.notes, note)
	text := strings.Join(s.cells, "") + strings.Join(s.notes, "")
	s.reset()
	swepts.Put(s)
	return text
}

type free struct {
	cells []string
	spare [][]byte
}

func (f *free) reset() { f.cells = f.cells[:0] }

// The list of spare buffers stays on purpose.
func (f *free) buffer() []byte {
	if n := len(f.spare); n > 0 {
		b := f.spare[n-1]
		f.spare = f.spare[:n-1]
		return b
	}
	return nil
}

var frees = sync.Pool{New: func() any { return new(free) }}

func spares(cell string) int {
	f := frees.Get().(*free)
	defer frees.Put(f)
	defer f.reset()
	f.cells = append(f.cells, cell)
	b := append(f.buffer()[:0], cell...)
	f.spare = append(f.spare, b)
	return len(f.cells)
}
