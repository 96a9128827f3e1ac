package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/profile"
)

// frame is a profile as it is kept: numbers of rows of the service's dictionary in
// ascending order, and a column of values for each sample type.
type frame struct {
	header
	rows   []uint32
	values [][]int64

	base  key    // the frame that the values are the difference from; zero for a frame of its own
	depth uint64 // how many frames have to be read before this one
}

// header holds the fields of a profile beside its samples.
type header struct {
	types       []profile.ValueType
	defaultType string
	periodType  profile.ValueType
	period      int64
	time        int64
	duration    int64
	comments    []string
	docURL      string
	drop, keep  string
	mappings    []uint32 // numbers of the service's dictionary
}

// maxDepth is how many frames at most are read to reach one. Reading a window in order
// reads each frame once, whatever the depth; it costs only the first of a window.
const maxDepth = 24

const frameVersion = 1

// encode returns the frame as the difference from base, which may be nil.
func (f *frame) encode(base *frame) []byte {
	b := make([]byte, 0, 128+len(f.rows)*(1+len(f.values)))
	b = append(b, frameVersion)
	b = append(b, f.base[:]...)
	b = binary.AppendUvarint(b, f.depth)
	b = f.header.append(b)
	b = binary.AppendUvarint(b, uint64(len(f.rows)))
	last := uint32(0)
	for _, row := range f.rows {
		b = binary.AppendUvarint(b, uint64(row-last))
		last = row
	}
	for t, column := range f.values {
		next := base.column(t)
		for i, v := range column {
			b = binary.AppendVarint(b, v-next(f.rows[i]))
		}
	}
	return b
}

// column returns a function that returns the values of a column by row. Rows must be
// asked for in ascending order. Without a frame all values are 0.
func (f *frame) column(t int) func(row uint32) int64 {
	if f == nil || t >= len(f.values) {
		return func(uint32) int64 { return 0 }
	}
	at := 0
	return func(row uint32) int64 {
		for at < len(f.rows) && f.rows[at] < row {
			at++
		}
		if at < len(f.rows) && f.rows[at] == row {
			return f.values[t][at]
		}
		return 0
	}
}

// decodeFrame is the reverse of encode. of returns the frame that another one is the
// difference from.
func decodeFrame(value []byte, of func(key) (*frame, error)) (*frame, error) {
	f := &frame{}
	if len(value) < 1+len(f.base) {
		return nil, errShort
	}
	if value[0] != frameVersion {
		return nil, fmt.Errorf("a profile of version %d, and this program reads %d: update heapwright",
			value[0], frameVersion)
	}
	copy(f.base[:], value[1:])
	c := &cursor{rest: value[1+len(f.base):]}
	f.depth = c.uint()
	f.header.read(c)
	f.rows = make([]uint32, c.count())
	last := uint64(0)
	for i := range f.rows {
		last += c.uint()
		if last > math.MaxUint32 {
			c.fail()
			break
		}
		f.rows[i] = uint32(last)
	}
	if c.err != nil {
		return nil, c.err
	}
	var base *frame
	if f.base != (key{}) {
		if f.depth == 0 || f.depth > maxDepth {
			return nil, fmt.Errorf("damaged: depth %d", f.depth)
		}
		var err error
		if base, err = of(f.base); err != nil {
			return nil, err
		}
		if base.depth != f.depth-1 {
			return nil, fmt.Errorf("damaged: depth %d after %d", f.depth, base.depth)
		}
	}
	f.values = make([][]int64, len(f.types))
	for t := range f.values {
		if len(f.rows) > len(c.rest) {
			return nil, errShort
		}
		next := base.column(t)
		column := make([]int64, len(f.rows))
		for i, row := range f.rows {
			column[i] = c.int() + next(row)
		}
		f.values[t] = column
	}
	return f, c.err
}

// memory returns about how many bytes a frame holds.
func (f *frame) memory() int64 { return 400 + int64(len(f.rows))*(4+8*int64(len(f.values))) }

func (h *header) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(h.types)))
	for _, t := range h.types {
		b = appendText(appendText(b, t.Type), t.Unit)
	}
	b = appendText(appendText(appendText(b, h.defaultType), h.periodType.Type), h.periodType.Unit)
	for _, v := range []int64{h.period, h.time, h.duration} {
		b = binary.AppendVarint(b, v)
	}
	b = binary.AppendUvarint(b, uint64(len(h.comments)))
	for _, c := range h.comments {
		b = appendText(b, c)
	}
	b = appendText(appendText(appendText(b, h.docURL), h.drop), h.keep)
	b = binary.AppendUvarint(b, uint64(len(h.mappings)))
	for _, m := range h.mappings {
		b = binary.AppendUvarint(b, uint64(m))
	}
	return b
}

func (h *header) read(c *cursor) {
	h.types = make([]profile.ValueType, c.count())
	for i := range h.types {
		h.types[i] = profile.ValueType{Type: c.text(), Unit: c.text()}
	}
	h.defaultType = c.text()
	h.periodType = profile.ValueType{Type: c.text(), Unit: c.text()}
	h.period, h.time, h.duration = c.int(), c.int(), c.int()
	h.comments = make([]string, c.count())
	for i := range h.comments {
		h.comments[i] = c.text()
	}
	h.docURL, h.drop, h.keep = c.text(), c.text(), c.text()
	h.mappings = make([]uint32, c.count())
	for i := range h.mappings {
		h.mappings[i] = uint32(c.uint())
	}
}
