package store

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// key is where an entry stands in its file: time in nanoseconds, then series, so that
// appending writes at the end. Series are counted from 1; the zero key is none.
type key [12]byte

func keyAt(t time.Time, series uint32) (k key) {
	binary.BigEndian.PutUint64(k[:8], uint64(t.UnixNano()))
	binary.BigEndian.PutUint32(k[8:], series)
	return k
}

func (k key) time() time.Time { return time.Unix(0, int64(binary.BigEndian.Uint64(k[:8]))).UTC() }
func (k key) series() uint32  { return binary.BigEndian.Uint32(k[8:]) }

// series are entries that differ in nothing but time and values.
type series struct {
	kind    string
	labels  Labels
	figures []string // their names
}

// encode is also the identity of a series.
func (s *series) encode() []byte {
	b := appendText(nil, s.kind)
	b = binary.AppendUvarint(b, uint64(len(s.labels)))
	for _, name := range slices.Sorted(maps.Keys(s.labels)) {
		b = appendText(appendText(b, name), s.labels[name])
	}
	b = binary.AppendUvarint(b, uint64(len(s.figures)))
	for _, name := range s.figures {
		b = appendText(b, name)
	}
	return b
}

func decodeSeries(b []byte) (series, error) {
	c := &cursor{rest: b}
	s := series{kind: c.text(), labels: Labels{}}
	for range c.count() {
		name := c.text()
		s.labels[name] = c.text()
	}
	s.figures = make([]string, c.count())
	for i := range s.figures {
		s.figures[i] = c.text()
	}
	return s, c.err
}

// memory returns about how many bytes an entry holds for itself alone.
func (e *Entry) memory() int64 { return 200 + 24*int64(len(e.Figures)) }

const evidenceFlag = 1

// encode returns the value of an entry in the index. sum is the checksum of
// the data as it was appended.
func (e *Entry) encode(sum uint32) []byte {
	flags := uint64(0)
	if e.Evidence {
		flags = evidenceFlag
	}
	b := binary.AppendUvarint(nil, flags)
	b = binary.AppendUvarint(b, uint64(e.Duration))
	b = binary.AppendUvarint(b, uint64(e.Size))
	b = binary.AppendUvarint(b, uint64(sum))
	for _, f := range e.Figures {
		b = binary.AppendVarint(b, f.Value)
	}
	return b
}

func decodeEntry(k key, s *series, b []byte) (e Entry, sum uint32, err error) {
	c := &cursor{rest: b}
	e = Entry{Kind: s.kind, Labels: s.labels, Time: k.time(), at: k}
	e.Evidence = c.uint()&evidenceFlag != 0
	duration, size, check := c.uint(), c.uint(), c.uint()
	if duration > math.MaxInt64 || size > math.MaxInt32 || check > math.MaxUint32 {
		return e, 0, fmt.Errorf("damaged: %d bytes", size)
	}
	e.Duration, e.Size = time.Duration(duration), int(size)
	e.Figures = make([]Figure, len(s.figures))
	for i, name := range s.figures {
		e.Figures[i] = Figure{name, c.int()}
	}
	return e, uint32(check), c.err
}
