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
	if err := s.fits((entryBytes + 8*int64(types)) * int64(n)); err != nil {
		return err
	}
	// p may have the columns of an earlier file, whose memory is used again.
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
	// Without a Dict of its own, the file may repeat the last one's stacks.
	if !s.lend {
		s.follow.start(&s.dict.stacks)
		s.encodedIDs.fill(s.locations.dense[:len(s.locationsAt)+1], s.dict.locations.len())
	}
	for row, at := range s.samplesAt {
		if err := s.check(row, at); err != nil {
			return err
		}
		if b, i := s.raw[:at.to], int(at.from); !s.usualSample(row, b, i) {
			if err := s.anySample(row, b, i); err != nil {
				return fmt.Errorf("sample %d: %w", row, err)
			}
		}
		if row == enough && fresh {
			s.dict.stacks.foresee(row, n)
		}
	}
	return nil
}

// usualSample reads a sample that takes the end of b as nearly all writers write
// it: values and packed locations in either order, then labels. It reports false
// where it is not quite so or wrong.
func (s *parser) usualSample(row int, b []byte, i int) bool {
	next := s.values(row, b, i)
	from, to := shortField(b, max(i, next), 1<<3|wireBytes)
	if to == 0 {
		return false
	}
	if next > 0 {
		next = to
	} else if next = s.values(row, b, to); next == 0 {
		return false
	}
	labels, ok := s.labels(b, next)
	if !ok {
		return false
	}
	s.p.Labels[row] = labels
	if stack, ok := s.follow.expected(); ok && s.encodedIDs.same(b[:to], from, stack) {
		s.p.Stacks[row] = StackID(s.follow.take())
		return true
	}
	s.beginStack()
	if s.appendStack(b[from:to]) != nil {
		return false
	}
	s.p.Stacks[row] = s.endStack()
	return true
}

// beginStack prepares s.stack for the locations of a sample.
func (s *parser) beginStack() {
	if s.lend {
		s.stack = s.dict.stacks.words // a new stack belongs there
	} else {
		s.stack = s.stack[:0]
	}
}

// endStack returns the number of the stack that was appended to s.stack.
func (s *parser) endStack() StackID {
	if s.lend {
		return StackID(s.dict.stacks.adopt(s.stack))
	}
	return StackID(s.follow.intern(s.stack))
}

// values reads a sample's values, which are one packed field or, as runtime/pprof
// writes up to two, a field each. It returns where they end, or 0 if they are not
// at b[i].
func (s *parser) values(row int, b []byte, i int) int {
	from, to := shortField(b, i, 2<<3|wireBytes)
	if to > 0 {
		i = from
	}
	for _, column := range s.p.Values {
		if to == 0 {
			if i >= len(b) || b[i] != 2<<3|wireVarint {
				return 0
			}
			i++
		}
		if i+8 > cap(b) { // the bytes that follow in the file may be looked at
			return 0
		}
		word := b[i : i+8]
		x, n := uint64(word[0]), 1
		if x >= 0x80 {
			if x, n = varint8(binary.LittleEndian.Uint64(word)); n > 8 {
				return 0
			}
		}
		column[row] = int64(x)
		i += n
	}
	if i > len(b) || to > 0 && i != to {
		return 0
	}
	return i
}

// labels reads the labels that take the end of b. It reports false where there is
// anything else.
func (s *parser) labels(b []byte, i int) (LabelsID, bool) {
	if i == len(b) {
		return 0, true
	}
	memo, known := s.memo.find(b, i)
	if known {
		return memo.set, true
	}
	s.set = s.set[:0]
	m := message{b: b, at: i}
	for m.next() {
		if m.field() != 3 {
			return 0, false
		}
		s.parseLabel(&m)
	}
	if m.err != nil {
		return 0, false
	}
	memo.at = span{uint32(i), uint32(len(b))}
	memo.set, s.seq = s.dict.internLabels(s.set, s.seq)
	return memo.set, true
}

// anySample reads a sample whatever its fields and their order.
func (s *parser) anySample(row int, b []byte, i int) error {
	s.beginStack()
	s.set, s.numbers = s.set[:0], s.numbers[:0]
	m := message{b: b, at: i}
	for m.next() {
		switch m.field() {
		case 1:
			s.parseStack(&m)
		case 2:
			s.numbers = m.numbers(s.numbers)
		case 3:
			s.parseLabel(&m)
		}
	}
	if m.err != nil {
		return m.err
	}
	columns := s.p.Values
	if len(s.numbers) != len(columns) {
		return fmt.Errorf("it has %d values for %d sample types", len(s.numbers), len(columns))
	}
	for t, v := range s.numbers {
		columns[t][row] = int64(v)
	}
	s.p.Labels[row], s.seq = s.dict.internLabels(s.set, s.seq)
	s.p.Stacks[row] = s.endStack()
	return nil
}

func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
