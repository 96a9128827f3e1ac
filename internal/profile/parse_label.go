package profile

// parseLabel appends a label to s.set. A label that says nothing is left out, as
// google/pprof does.
func (s *parser) parseLabel(outer *message) {
	var key, text, number, unit uint64
	m := message{b: outer.bytes()}
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
	if m.err != nil {
		outer.fail(m.err)
	}
	if label[2]|label[3]|label[4] != 0 {
		s.set = append(s.set, label)
	}
}
