package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

func (s *parser) parseSamples(*header) error {
	p, n, types := s.p, len(s.samplesAt), len(s.p.SampleTypes)
	if n > 0 && types == 0 {
		return errors.New("it has samples but no sample types")
	}
	// Each value takes a byte at least: a file cannot make us allocate columns
	// out of proportion to its size.
	if types > 0 && n > len(s.raw)/types {
		return fmt.Errorf("%d samples of %d values do not fit into it", n, types)
	}
	p.Stacks, p.Labels = resize(p.Stacks, n), resize(p.Labels, n)
	if len(p.Values) != types {
		p.Values = make([][]int64, types)
	}
	for t := range p.Values {
		p.Values[t] = resize(p.Values[t], n)
	}
	fresh := s.dict.stacks.len() == 1
	s.dict.stacks.reserveFirst(n, 0)
	s.memo = labelMemo{}
	for row, at := range s.samplesAt {
		if err := s.parseSample(row, at); err != nil {
			return fmt.Errorf("sample %d: %w", row, err)
		}
		if row == 512 && fresh {
			// By now it is known how deep stacks are; a little more than that is
			// less than what growing would copy.
			words := s.dict.stacks.words
			s.dict.stacks.words = slices.Grow(words, len(words)*(n-row)/row*9/8)
		}
	}
	return nil
}

func (s *parser) parseSample(row int, at span) error {
	s.stack, s.set, s.numbers = s.stack[:0], s.set[:0], s.numbers[:0]
	var memo *memoSlot // of the labels, as long as nothing else follows them
	var labels uint32  // where they begin
	m := message{b: s.raw[:at.to], at: int(at.from)}
	for field := m.at; m.next(); field = m.at {
		switch m.field() {
		case 1:
			s.parseStack(&m)
		case 2:
			s.numbers = m.numbers(s.numbers)
		case 3:
			if labels == 0 {
				labels = uint32(field)
				var known bool
				if memo, known = s.memo.find(s.raw, span{labels, at.to}); known {
					return s.finishSample(row, memo.set)
				}
			}
			s.parseLabel(&m)
			continue
		}
		memo = nil
	}
	if m.err != nil {
		return m.err
	}
	var set LabelsID
	set, s.seq = s.dict.internLabels(s.set, s.seq)
	if memo != nil {
		memo.at, memo.set = span{labels, at.to}, set
	}
	return s.finishSample(row, set)
}

func (s *parser) finishSample(row int, labels LabelsID) error {
	columns := s.p.Values
	if len(s.numbers) != len(columns) {
		return fmt.Errorf("it has %d values for %d sample types", len(s.numbers), len(columns))
	}
	for t, v := range s.numbers {
		columns[t][row] = int64(v)
	}
	s.p.Stacks[row] = StackID(s.dict.stacks.intern(s.stack))
	s.p.Labels[row] = labels
	return nil
}

// parseStack appends the locations of one field, packed or not, to s.stack.
func (s *parser) parseStack(m *message) {
	if m.tag&7 != wireBytes {
		s.stack = append(s.stack, s.location(m.number(), m))
		return
	}
	b, n := m.bytes(), len(s.stack)
	if cap(s.stack)-n < len(b) { // an id takes a byte at least
		s.stack = slices.Grow(s.stack, len(b))
	}
	stack := s.stack[:cap(s.stack)]
	for {
		read, found := shortIDs(b, s.locations.dense, stack[n:])
		b, n = b[read:], n+found
		if len(b) == 0 {
			break
		}
		id, next := uvarint(b, 0)
		if next < 0 {
			m.fail(errVarint)
			break
		}
		stack[n] = s.location(id, m)
		b, n = b[next:], n+1
	}
	s.stack = stack[:n]
}

// shortIDs decodes ids of one or two bytes, which nearly all are, and looks them
// up. It stops at what it cannot do and returns how many bytes it has read and
// how many locations found. This is the innermost loop of all: it stands alone,
// without a call in it, so that its variables stay in registers, and takes four
// ids of two bytes at once where it can.
func shortIDs(b []byte, dense []uint32, out []LocationID) (i, n int) {
	for i < len(b) && n < len(out) {
		if len(b)-i >= 8 && len(out)-n >= 4 {
			x := binary.LittleEndian.Uint64(b[i:])
			if x&0x8080_8080_8080_8080 == 0x0080_0080_0080_0080 {
				x = x&0x007f_007f_007f_007f | x&0x7f00_7f00_7f00_7f00>>1
				id0, id1, id2, id3 := x&0x3fff, x>>16&0x3fff, x>>32&0x3fff, x>>48
				if top := uint64(len(dense)); id0 >= top || id1 >= top || id2 >= top || id3 >= top {
					break
				}
				four := out[n : n+4 : n+4]
				four[0], four[1] = LocationID(dense[id0]), LocationID(dense[id1])
				four[2], four[3] = LocationID(dense[id2]), LocationID(dense[id3])
				if four[0] == 0 || four[1] == 0 || four[2] == 0 || four[3] == 0 {
					break
				}
				i, n = i+8, n+4
				continue
			}
		}
		id, size := uint(b[i]), 1
		if id >= 0x80 {
			if i+1 >= len(b) || b[i+1] >= 0x80 {
				break
			}
			id, size = id&0x7f|uint(b[i+1])<<7, 2
		}
		if id >= uint(len(dense)) || dense[id] == 0 {
			break
		}
		out[n] = LocationID(dense[id])
		i, n = i+size, n+1
	}
	return i, n
}

// location returns the location that has an id in the file.
func (s *parser) location(id uint64, m *message) LocationID {
	loc := s.locations.get(id)
	if loc == 0 && m.err == nil {
		m.err = fmt.Errorf("location %d is not in the profile", id)
	}
	return LocationID(loc)
}

// parseLabel appends a label to s.set. A label that says nothing is left out, as
// google/pprof does.
func (s *parser) parseLabel(outer *message) {
	var key, text, number, unit uint64
	m := message{b: outer.bytes(), err: outer.err}
	for m.next() {
		switch m.field() {
		case 1:
			key = m.number()
		case 2:
			text = m.number()
		case 3:
			number = m.number()
		case 4:
			unit = m.number()
		}
	}
	label := labelSeq{1: s.str(key, &m.err)}
	if text != 0 {
		label[2] = s.str(text, &m.err)
	} else {
		label[0], label[2], label[3], label[4] = 1, lo(number), hi(number), s.str(unit, &m.err)
	}
	outer.err = m.err
	if label[2]|label[3]|label[4] != 0 {
		s.set = append(s.set, label)
	}
}

func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
