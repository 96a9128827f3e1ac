package profile

import "fmt"

func (s *parser) parseMappings(*header) error {
	s.mappings.reset(len(s.mappingsAt))
	s.mapped = s.mapped[:0]
	s.p.Mappings = nil
	for i, at := range s.mappingsAt {
		var id, start, limit, offset, file, build uint64
		var has Symbols
		m := message{b: s.at(at)}
		for m.next() {
			switch m.field() {
			case 1:
				id = m.number()
			case 2:
				start = m.number()
			case 3:
				limit = m.number()
			case 4:
				offset = m.number()
			case 5:
				file = m.number()
			case 6:
				build = m.number()
			case 7, 8, 9, 10:
				bit := HasFunctions << (m.field() - 7)
				has &^= bit
				if m.number() != 0 {
					has |= bit
				}
			}
		}
		fileText, buildText := s.str(file, &m.err), s.str(build, &m.err)
		if m.err != nil {
			return fmt.Errorf("mapping %d: %w", i, m.err)
		}
		s.seq = append(s.seq[:0], lo(start), hi(start), lo(limit), hi(limit), lo(offset), hi(offset),
			fileText, buildText, uint32(has))
		to := mapped{id: MappingID(s.dict.mappings.intern(s.seq))}
		if s.known != nil {
			to = s.rebase(to.id)
		}
		s.mapped = append(s.mapped, to)
		if !s.mappings.set(id, uint32(len(s.mapped))) {
			return fmt.Errorf("mapping %d: id %d is 0 or used twice", i, id)
		}
		s.p.Mappings = append(s.p.Mappings, to.id)
		if s.p.file != nil {
			s.p.file.mappings.add(to.id, id)
		}
	}
	return nil
}

func (s *parser) parseFunctions(*header) error {
	s.functions.reset(len(s.functionsAt))
	s.dict.functions.reserveFirst(len(s.functionsAt), functionWords)
	if s.p.file != nil {
		s.p.file.functions.list = make([]FunctionID, 0, len(s.functionsAt))
	}
	for i, at := range s.functionsAt {
		var id, name, system, file, start uint64
		m := message{b: s.at(at)}
		for m.next() {
			switch m.field() {
			case 1:
				id = m.number()
			case 2:
				name = m.number()
			case 3:
				system = m.number()
			case 4:
				file = m.number()
			case 5:
				start = m.number()
			}
		}
		s.seq = append(s.seq[:0], s.str(name, &m.err), s.str(system, &m.err), s.str(file, &m.err), lo(start), hi(start))
		if m.err != nil {
			return fmt.Errorf("function %d: %w", i, m.err)
		}
		f := s.dict.functions.intern(s.seq)
		if !s.functions.set(id, f) {
			return fmt.Errorf("function %d: id %d is 0 or used twice", i, id)
		}
		if s.p.file != nil {
			s.p.file.functions.add(FunctionID(f), id)
		}
	}
	return nil
}

func (s *parser) parseLocations(*header) error {
	s.locations.reset(len(s.locationsAt))
	s.dict.locations.reserveFirst(len(s.locationsAt), locationWords+lineWords+lineWords/2)
	if s.p.file != nil {
		s.p.file.locations.list = make([]LocationID, 0, len(s.locationsAt))
	}
	for i, at := range s.locationsAt {
		var id, mapping, address uint64
		var folded uint32
		s.seq = append(s.seq[:0], 0, 0, 0, 0) // locationWords, known at the end
		m := message{b: s.at(at)}
		for m.next() {
			switch m.field() {
			case 1:
				id = m.number()
			case 2:
				mapping = m.number()
			case 3:
				address = m.number()
			case 4:
				s.parseLine(&m)
			case 5:
				folded = m.flag()
			}
		}
		if m.err != nil {
			return fmt.Errorf("location %d: %w", i, m.err)
		}
		if at := s.mappings.get(mapping); at != 0 { // a mapping that is not there is none
			to := s.mapped[at-1]
			s.seq[0] = uint32(to.id)
			address += to.shift
		}
		s.seq[1], s.seq[2], s.seq[3] = lo(address), hi(address), folded
		loc := s.dict.locations.intern(s.seq)
		if !s.locations.set(id, loc) {
			return fmt.Errorf("location %d: id %d is 0 or used twice", i, id)
		}
		if s.p.file != nil {
			s.p.file.locations.add(LocationID(loc), id)
		}
	}
	return nil
}

// parseLine appends the words of one line of a location to s.seq.
func (s *parser) parseLine(outer *message) {
	var function, line, column uint64
	m := message{b: outer.bytes(), err: outer.err}
	for m.next() {
		switch m.field() {
		case 1:
			function = m.number()
		case 2:
			line = m.number()
		case 3:
			column = m.number()
		}
	}
	f := s.functions.get(function)
	if f == 0 && m.err == nil {
		m.err = fmt.Errorf("function %d is not in the profile", function)
	}
	outer.err = m.err
	s.seq = append(s.seq, f, lo(line), hi(line), lo(column), hi(column))
}
