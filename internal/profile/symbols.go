package profile

// symbols are the symbol tables of one file in its order, with its ids: entries
// that no sample refers to and ids with gaps are kept from decoding to encoding.
type symbols struct {
	mappings  entries[MappingID]
	functions entries[FunctionID]
	locations entries[LocationID]
}

// entries is one table. Ids are counted from 1 as long as ids is nil.
type entries[ID ~uint32] struct {
	list []ID
	ids  []uint64
}

func (e *entries[ID]) add(entry ID, id uint64) {
	e.list = append(e.list, entry)
	switch {
	case e.ids != nil:
		e.ids = append(e.ids, id)
	case id != uint64(len(e.list)):
		for i := range e.list[:len(e.list)-1] {
			e.ids = append(e.ids, uint64(i+1))
		}
		e.ids = append(e.ids, id)
	}
}

func (e *entries[ID]) id(i int) uint64 {
	if e.ids != nil {
		return e.ids[i]
	}
	return uint64(i + 1)
}

// byEntry returns the ids by entry, for numbers below n. Where one content
// stands twice in a file, its first id serves.
func (e *entries[ID]) byEntry(n int) []uint64 {
	of := make([]uint64, n)
	for i, entry := range e.list {
		if of[entry] == 0 {
			of[entry] = e.id(i)
		}
	}
	return of
}

// symbolsOf returns the tables of all symbols that a profile's samples refer to, in
// their order; the main binary remains the first mapping.
func symbolsOf(p *Profile) *symbols {
	s := new(symbols)
	seen := symbolSet{
		mappings:  make([]bool, p.Dict.mappings.len()),
		functions: make([]bool, p.Dict.functions.len()),
		locations: make([]bool, p.Dict.locations.len()),
		stacks:    make([]bool, p.Dict.stacks.len()),
	}
	for _, m := range p.Mappings {
		if m != 0 && !seen.mappings[m] {
			seen.mappings[m] = true
			s.mappings.add(m, uint64(len(s.mappings.list)+1))
		}
	}
	for _, stack := range p.Stacks {
		if seen.stacks[stack] {
			continue
		}
		seen.stacks[stack] = true
		for _, loc := range p.Dict.Stack(stack) {
			if !seen.locations[loc] {
				seen.locations[loc] = true
				s.addLocation(p.Dict, loc, &seen)
			}
		}
	}
	return s
}

// symbolSet marks by number the entries that symbolsOf has added.
type symbolSet struct{ mappings, functions, locations, stacks []bool }

func (s *symbols) addLocation(d *Dict, loc LocationID, seen *symbolSet) {
	s.locations.add(loc, uint64(len(s.locations.list)+1))
	if m := d.Location(loc).Mapping; m != 0 && !seen.mappings[m] {
		seen.mappings[m] = true
		s.mappings.add(m, uint64(len(s.mappings.list)+1))
	}
	for i := range d.Lines(loc) {
		if f := d.Line(loc, i).Function; !seen.functions[f] {
			seen.functions[f] = true
			s.functions.add(f, uint64(len(s.functions.list)+1))
		}
	}
}
