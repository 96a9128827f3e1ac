package profile

import (
	"encoding/binary"
	"fmt"
)

func (s *parser) parseMappings(*header) error {
	s.mappings.reset(len(s.mappingsAt))
	s.shifts = s.shifts[:0]
	s.p.Mappings = nil
	for i, at := range s.mappingsAt {
		if err := s.check(i, at); err != nil {
			return err
		}
		var f [11]uint64 // id, start, limit, offset, file, build id, four flags
		err := scalars(s.at(at), f[:])
		s.seq = append(s.seq[:0], lo(f[2]), hi(f[2]), lo(f[3]), hi(f[3]), lo(f[4]), hi(f[4]),
			s.str(f[5], &err), s.str(f[6], &err))
		if err != nil {
			return fmt.Errorf("mapping %d: %w", i, err)
		}
		var has Symbols
		for flag, set := range f[7:] {
			if set != 0 {
				has |= HasFunctions << flag
			}
		}
		to := mappingShift{id: MappingID(s.dict.mappings.intern(append(s.seq, uint32(has))))}
		if s.known != nil {
			to = s.rebase(to.id)
		}
		s.shifts = append(s.shifts, to)
		if !s.mappings.set(f[1], uint32(len(s.shifts))) {
			return fmt.Errorf("mapping %d: %w", i, errID(f[1]))
		}
		s.p.Mappings = append(s.p.Mappings, to.id)
		if s.p.file != nil {
			s.p.file.mappings.add(to.id, f[1])
		}
	}
	return nil
}

func (s *parser) parseFunctions(*header) error {
	n := len(s.functionsAt)
	if err := s.fits(entryBytes * int64(n)); err != nil {
		return err
	}
	s.functions.reset(n)
	s.dict.functions.reserveFirst(n, functionWords)
	if s.p.file != nil {
		s.p.file.functions.list = make([]FunctionID, 0, n)
	}
	for i, at := range s.functionsAt {
		if err := s.check(i, at); err != nil {
			return err
		}
		var f [6]uint64 // id, name, system name, file, start line
		err := scalars(s.at(at), f[:])
		s.seq = append(s.seq[:0], s.str(f[2], &err), s.str(f[3], &err), s.str(f[4], &err), lo(f[5]), hi(f[5]))
		if err != nil {
			return fmt.Errorf("function %d: %w", i, err)
		}
		function := s.dict.functions.intern(s.seq)
		if !s.functions.set(f[1], function) {
			return fmt.Errorf("function %d: %w", i, errID(f[1]))
		}
		if s.p.file != nil {
			s.p.file.functions.add(FunctionID(function), f[1])
		}
	}
	return nil
}

func (s *parser) parseLocations(*header) error {
	n := len(s.locationsAt)
	if err := s.fits(entryBytes * int64(n)); err != nil {
		return err
	}
	s.locations.reset(n)
	fresh := s.dict.locations.len() == 1
	s.dict.locations.reserveFirst(n, 0)
	if s.p.file != nil {
		s.p.file.locations.list = make([]LocationID, 0, n)
	}
	s.places.reset()
	var ids [batchSize]uint64 // the file's ids
	for i, at := range s.locationsAt {
		if err := s.check(i, at); err != nil {
			return err
		}
		id, err := s.parseLocation(s.at(at))
		if err != nil {
			return fmt.Errorf("location %d: %w", i, err)
		}
		ids[i%batchSize] = id
		if !s.places.end() && i+1 < n {
			continue
		}
		first := i &^ (batchSize - 1)
		for j, loc := range s.places.intern(&s.dict.locations) {
			if !s.locations.set(ids[j], loc) {
				return fmt.Errorf("location %d: %w", first+j, errID(ids[j]))
			}
			if s.p.file != nil {
				s.p.file.locations.add(LocationID(loc), ids[j])
			}
		}
		if i+1 == enough && fresh {
			s.dict.locations.foresee(enough, n)
		}
	}
	return nil
}

// parseLocation leaves a location's words in s.places and returns its id.
func (s *parser) parseLocation(b []byte) (uint64, error) {
	start, words := s.places.begin(), s.places.words
	words = append(words, 0, 0, 0, 0) // locationWords, known at the end
	var f [6]uint64                   // id, mapping, address, -, folded
	// Nearly all locations consist of small numbers and short lines, which need no message.
	// Anything else takes the slow way below.
	for i := 0; i < len(b); {
		if tag := b[i]; tag == 1<<3 || tag == 2<<3 || tag == 3<<3 {
			if i++; i < len(b) && b[i] < 0x80 {
				f[tag>>3], i = uint64(b[i]), i+1
			} else if f[tag>>3], i = uvarint(b, i); i < 0 {
				return 0, errVarint
			}
			continue
		}
		if from, to := shortField(b, i, 4<<3|wireBytes); to > 0 {
			var err error
			if words, err = s.parseLine(words, b[from:to]); err != nil {
				return 0, err
			}
			i = to
			continue
		}
		m := message{b: b, at: i}
		if m.next() {
			switch m.field() {
			case 1, 2, 3, 5:
				f[m.field()] = m.number()
			case 4:
				if line := m.bytes(); m.err == nil {
					words, m.err = s.parseLine(words, line)
				}
			}
		}
		if m.err != nil {
			return 0, m.err
		}
		i = m.at
	}
	w := words[start:]
	if at := s.mappings.get(f[2]); at != 0 { // a mapping that is not there is none
		to := s.shifts[at-1]
		w[0] = uint32(to.id)
		f[3] += to.shift
	}
	w[1], w[2] = lo(f[3]), hi(f[3])
	if f[5] != 0 {
		w[3] = 1
	}
	s.places.words = words
	return f[1], nil
}

// parseLine appends the words of one line of a location.
func (s *parser) parseLine(words []uint32, b []byte) ([]uint32, error) {
	var f [4]uint64 // function, line, column
	if function, line, ok := shortLine(b); ok {
		f[1], f[2] = function, line
	} else if err := scalars(b, f[:]); err != nil {
		return words, err
	}
	function := s.functions.get(f[1])
	if function == 0 {
		return words, fmt.Errorf("function %d is not in the profile", f[1])
	}
	return append(words, function, lo(f[2]), hi(f[2]), lo(f[3]), hi(f[3])), nil
}

// shortLine reads a line that is a function's id and a number of one or two bytes
// each, which nearly all are, out of one word.
func shortLine(b []byte) (function, line uint64, ok bool) {
	if len(b) > 6 || cap(b) < 8 { // the bytes that follow in the file may be looked at
		return 0, 0, false
	}
	x := binary.LittleEndian.Uint64(b[:8])
	long := x >> 15 & 1
	function = x>>8&0x7f | x>>9&(long*0x3f80)
	y := x >> (16 + 8*long)
	longer := y >> 15 & 1
	line = y>>8&0x7f | y>>9&(longer*0x3f80)
	return function, line, byte(x) == 1<<3 && byte(y) == 2<<3 && len(b) == int(4+long+longer) &&
		x>>23&long == 0 && y>>23&longer == 0
}

func errID(id uint64) error { return fmt.Errorf("id %d is 0 or used twice", id) }
