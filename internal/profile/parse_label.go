package profile

// parseLabel appends a label to s.set. Like google/pprof, it leaves out a label without a
// value.
func (s *parser) parseLabel(m *message) {
	var f [5]uint64 // key, text, number, unit
	err := scalars(m.bytes(), f[:])
	label := labelSeq{1: s.str(f[1], &err)}
	if f[2] != 0 {
		label[2] = s.str(f[2], &err)
	} else {
		label[0], label[2], label[3], label[4] = 1, lo(f[3]), hi(f[3]), s.str(f[4], &err)
	}
	if err != nil {
		m.fail(err)
	}
	if label[2]|label[3]|label[4] != 0 {
		s.set = append(s.set, label)
	}
}
