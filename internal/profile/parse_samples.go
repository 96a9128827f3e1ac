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
	fresh := s.dict.stacks.len() == 1
	s.dict.stacks.reserveFirst(n, 0)
	s.memo = labelMemo{}
	s.stacks.start(&s.dict.stacks)
	for row, at := range s.samplesAt {
		if err := s.parseSample(row, at); err != nil {
			return fmt.Errorf("sample %d: %w", row, err)
		}
		if row == enough && fresh {
			s.dict.stacks.foresee(row, n)
		}
	}
	return nil
}

func (s *parser) parseSample(row int, at span) error {
	s.stacks.begin()
	s.set, s.numbers = s.set[:0], s.numbers[:0]
	b := s.raw[:at.to]
	start := s.usualFields(b, int(at.from))
	if start == len(b) {
		return s.finishSample(row, 0)
	}
	memo, known := s.memo.find(b, start)
	if known {
		return s.finishSample(row, memo.set)
	}
	m := message{b: b, at: start}
	for m.next() {
		switch m.field() {
		case 1:
			s.parseStack(&m)
		case 2:
			s.numbers = m.numbers(s.numbers)
		case 3:
			s.parseLabel(&m)
			continue
		}
		memo = nil // it is for labels and nothing else
	}
	if m.err != nil {
		return m.err
	}
	var set LabelsID
	set, s.seq = s.dict.internLabels(s.set, s.seq)
	if memo != nil {
		memo.at, memo.set = span{uint32(start), at.to}, set
	}
	return s.finishSample(row, set)
}

// usualFields reads what stands at the beginning of the samples of all writers,
// packed fields of values and of locations in either order, and returns where it
// stopped: at the labels, the end, or what is not quite so.
func (s *parser) usualFields(b []byte, i int) int {
	for range 2 {
		if from, to := shortField(b, i, 2<<3|wireBytes); to > 0 {
			numbers, ok := packed(b[:to], from, s.numbers)
			if !ok {
				return i
			}
			s.numbers = numbers
			i = to
		} else if from, to := shortField(b, i, 1<<3|wireBytes); to > 0 {
			n := len(s.stacks.now.words)
			if s.shortIDs(b[from:to]) != to-from {
				s.stacks.now.words = s.stacks.now.words[:n]
				return i
			}
			i = to
		}
	}
	return i
}

func (s *parser) finishSample(row int, labels LabelsID) error {
	columns := s.p.Values
	if len(s.numbers) != len(columns) {
		return fmt.Errorf("it has %d values for %d sample types", len(s.numbers), len(columns))
	}
	for t, v := range s.numbers {
		columns[t][row] = int64(v)
	}
	s.p.Stacks[row] = StackID(s.stacks.intern())
	s.p.Labels[row] = labels
	return nil
}

func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
