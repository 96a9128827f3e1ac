package profile

import (
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
	if s.dict.stacks.len() == 1 {
		const depth = 16 // about that of Go services; a guess is enough
		s.dict.stacks.reserve(n, depth)
	}
	for row, at := range s.samplesAt {
		if err := s.parseSample(row, s.at(at)); err != nil {
			return fmt.Errorf("sample %d: %w", row, err)
		}
	}
	return nil
}

func (s *parser) parseSample(row int, b []byte) error {
	s.stack, s.set, s.numbers = s.stack[:0], s.set[:0], s.numbers[:0]
	m := message{rest: b}
	for m.next() {
		switch m.field {
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
	if len(s.numbers) != len(s.p.Values) {
		return fmt.Errorf("it has %d values for %d sample types", len(s.numbers), len(s.p.Values))
	}
	for t, v := range s.numbers {
		s.p.Values[t][row] = int64(v)
	}
	s.p.Stacks[row] = StackID(s.dict.stacks.intern(s.stack))
	s.p.Labels[row], s.seq = s.dict.internLabels(s.set, s.seq)
	return nil
}

// parseStack appends the locations of one field, packed or not, to s.stack.
func (s *parser) parseStack(m *message) {
	if m.kind != wireBytes {
		s.push(m.number(), m)
		return
	}
	for data := m.data; len(data) > 0 && m.err == nil; {
		var id uint64
		id, data, m.err = uvarint(data)
		s.push(id, m)
	}
}

func (s *parser) push(id uint64, m *message) {
	loc := s.locations.get(id)
	if loc == 0 && m.err == nil {
		m.err = fmt.Errorf("location %d is not in the profile", id)
	}
	s.stack = append(s.stack, LocationID(loc))
}

// parseLabel appends a label to s.set. A label that says nothing is left out, as
// google/pprof does.
func (s *parser) parseLabel(outer *message) {
	var key, text, number, unit uint64
	m := message{rest: outer.bytes(), err: outer.err}
	for m.next() {
		switch m.field {
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
