package profile

import "errors"

// header holds the numbers of the top level until the text is known.
type header struct {
	dropFrames, keepFrames, defaultType, docURL uint64
	time, duration, period                      uint64
	periodType                                  valueTypeSeq
}

// valueTypeSeq is a sample or period type as the file has it: its type and unit,
// indices of strings, at 1 and 2.
type valueTypeSeq [3]uint64

var errConcatenated = errors.New("two profiles stand one after the other in it; split them")

// scan walks over the top level.
func (s *parser) scan(h *header) error {
	if len(s.raw) == 0 {
		return errors.New("the file is empty")
	}

	// The memory of the last file serves again.
	if s.lend {
		s.dict.text.index.reset(len(s.text) + 1) // the last file had as many
	}
	s.text, s.comments, s.scanned = s.text[:0], s.comments[:0], 0
	for _, at := range []*[]span{&s.valueTypesAt, &s.samplesAt, &s.mappingsAt, &s.locationsAt, &s.functionsAt} {
		*at = (*at)[:0]
	}

	// Only strings and scalars can be read in one pass. The rest refers to strings by
	// their index and may precede them, so the loop notes where it is.
	m := message{b: s.raw}
	for s.scanUsual(&m); m.next(); s.scanUsual(&m) {
		if err := s.checkScan(&m); err != nil {
			return err
		}
		switch m.field() {
		case 1:
			s.valueTypesAt = s.note(s.valueTypesAt, &m)
		case 2:
			s.samplesAt = s.note(s.samplesAt, &m)
		case 3:
			s.mappingsAt = s.note(s.mappingsAt, &m)
		case 4:
			s.locationsAt = s.note(s.locationsAt, &m)
		case 5:
			s.functionsAt = s.note(s.functionsAt, &m)
		case 6:
			b := m.bytes()
			if len(s.text) == 0 && len(b) != 0 {
				return errors.New("its first string is not empty")
			}
			s.text = append(s.text, s.dict.text.intern(b))
		case 7:
			h.dropFrames = m.number()
		case 8:
			h.keepFrames = m.number()
		case 9:
			if h.time != 0 {
				return errConcatenated
			}
			h.time = m.number()
		case 10:
			h.duration = m.number()
		case 11:
			// The last counts, but a fault of one before it is an error, too.
			h.periodType = valueTypeSeq{}
			if err := scalars(m.bytes(), h.periodType[:]); err != nil {
				m.fail(err)
			}
		case 12:
			h.period = m.number()
		case 13:
			s.comments = m.numbers(s.comments)
		case 14:
			h.defaultType = m.number()
		case 15:
			h.docURL = m.number()
		}
	}
	return m.err
}

// checkScan checks memory before a long field and once for each run of short
// ones, which together are no longer than scanRun.
func (s *parser) checkScan(m *message) error {
	if m.num > largeMessage && m.tag&7 == wireBytes {
		switch m.field() {
		case 6:
			return s.fits(int64(m.num))
		case 13:
			return s.fits(amplification * int64(m.num))
		}
	}
	if s.scanned == 0 || m.at-s.scanned > scanRun {
		s.scanned = m.at
		return s.fits(amplification * scanRun)
	}
	return nil
}

// scanRun is how many bytes are scanned between two looks at memory.
const scanRun = 1 << 16

// scanUsual walks over a run of fields that most of a file is.
func (s *parser) scanUsual(m *message) {
	for b, i, end := m.b, m.at, m.at+scanRun; i < len(b) && i < end; m.at = i {
		from, to := shortField(b, i, b[i])
		if to == 0 {
			return
		}
		at := span{uint32(from), uint32(to)}
		switch b[i] {
		case 2<<3 | wireBytes:
			s.samplesAt = append(s.samplesAt, at)
		case 4<<3 | wireBytes:
			s.locationsAt = append(s.locationsAt, at)
		case 5<<3 | wireBytes:
			s.functionsAt = append(s.functionsAt, at)
		case 6<<3 | wireBytes:
			if len(s.text) == 0 {
				return // the first has a rule of its own
			}
			s.text = append(s.text, s.dict.text.intern(b[from:to]))
		default:
			return
		}
		i = to
	}
}

// note appends the place of a message that has just been read.
func (s *parser) note(to []span, m *message) []span {
	return append(to, span{uint32(m.at - len(m.bytes())), uint32(m.at)})
}

func (s *parser) parseHeader(h *header) (err error) {
	text := func(index uint64) string { return s.dict.text.at(s.str(index, &err)) }
	p := s.p
	if err := s.fits(64 * int64(len(s.comments)+len(s.valueTypesAt))); err != nil {
		return err
	}
	p.TimeNanos, p.DurationNanos, p.Period = int64(h.time), int64(h.duration), int64(h.period)
	p.DropFrames, p.KeepFrames = text(h.dropFrames), text(h.keepFrames)
	p.DefaultSampleType, p.DocURL = text(h.defaultType), text(h.docURL)
	p.Comments = nil
	for _, c := range s.comments {
		p.Comments = append(p.Comments, text(c))
	}
	p.PeriodType = ValueType{text(h.periodType[1]), text(h.periodType[2])}
	p.SampleTypes = nil
	for _, at := range s.valueTypesAt {
		var f valueTypeSeq
		if e := scalars(s.at(at), f[:]); e != nil && err == nil {
			err = e
		}
		p.SampleTypes = append(p.SampleTypes, ValueType{text(f[1]), text(f[2])})
	}
	return err
}
