package profile

import "fmt"

// Parts writes samples as parts that together are one profile: where protobufs stand one
// after the other, their repeated fields add up. Symbols and text are only in the part
// that needs them first, so a part is as large as its news. All samples share one Dict.
// Parts serves one goroutine.
type Parts struct {
	e                              encoder
	mappings, functions, locations uint64 // how many were written, which are also the last ids
}

// NewParts returns a writer whose first part begins a profile.
func NewParts() *Parts { return &Parts{e: encoder{extra: map[string]uint64{"": 0}}} }

// ResumeParts returns a writer that continues parts: raw has all of them, one after the
// other, and p was decoded from raw.
func ResumeParts(p *Profile, raw []byte) (*Parts, error) {
	w, d := NewParts(), p.Dict
	e := &w.e
	e.mappings = p.file.mappings.byEntry(d.mappings.len())
	e.functions = p.file.functions.byEntry(d.functions.len())
	e.locations = p.file.locations.byEntry(d.locations.len())
	w.mappings, w.functions = uint64(len(p.file.mappings.list)), uint64(len(p.file.functions.list))
	w.locations = uint64(len(p.file.locations.list))
	e.index = make([]uint64, len(d.text.strs))
	m := message{b: raw}
	for m.next() {
		if m.field() != 6 {
			continue
		}
		id := d.text.intern(m.bytes())
		if int(id) >= len(e.index) {
			return nil, fmt.Errorf("profile %q: it does not have the text of its parts", p.Name)
		}
		if id != 0 && e.index[id] == 0 {
			e.index[id] = e.before
		}
		e.before++
	}
	return w, m.err
}

// Next returns the samples of p as the next part. Sample types are only in the first part
// and must not change, and no part has another field of the header.
func (w *Parts) Next(p *Profile) []byte {
	e, news := &w.e, *p
	e.p, e.file, e.out, e.strings = &news, new(symbols), nil, nil
	if e.before == 0 {
		e.strings = []string{""} // index 0 is no text
	} else {
		news.SampleTypes = nil
	}
	e.index = grown(e.index, len(p.Dict.text.strs))
	e.mappings = grown(e.mappings, p.Dict.mappings.len())
	e.functions = grown(e.functions, p.Dict.functions.len())
	e.locations = grown(e.locations, p.Dict.locations.len())
	for _, m := range p.Mappings {
		w.mapping(m)
	}
	for _, stack := range p.Stacks {
		for _, loc := range p.Dict.Stack(stack) {
			w.location(loc)
		}
	}
	part := e.encode()
	e.before += uint64(len(e.strings))
	return part
}

// grown returns a table with at least n entries.
func grown(table []uint64, n int) []uint64 {
	return append(table, make([]uint64, max(0, n-len(table)))...)
}

func (w *Parts) mapping(m MappingID) {
	if m == 0 || w.e.mappings[m] != 0 {
		return
	}
	w.mappings++
	w.e.mappings[m] = w.mappings
	w.e.file.mappings.add(m, w.mappings)
}

func (w *Parts) location(loc LocationID) {
	e := &w.e
	if e.locations[loc] != 0 {
		return
	}
	w.locations++
	e.locations[loc] = w.locations
	e.file.locations.add(loc, w.locations)
	w.mapping(e.p.Dict.Location(loc).Mapping)
	for i := range e.p.Dict.Lines(loc) {
		if f := e.p.Dict.Line(loc, i).Function; e.functions[f] == 0 {
			w.functions++
			e.functions[f] = w.functions
			e.file.functions.add(f, w.functions)
		}
	}
}
