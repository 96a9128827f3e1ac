package profile

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Encode writes the profile as pprof tools read it, gzip-compressed.
func (p *Profile) Encode(w io.Writer) error {
	zw := gzip.NewWriter(w)
	if err := p.EncodeRaw(zw); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return fmt.Errorf("profile %q: %w", p.Name, err)
	}
	return nil
}

// EncodeRaw writes the profile as raw protobuf.
func (p *Profile) EncodeRaw(w io.Writer) error {
	if _, err := w.Write(newEncoder(p).encode()); err != nil {
		return fmt.Errorf("profile %q: %w", p.Name, err)
	}
	return nil
}

// encoder writes one profile. Text gets its index where it is first needed and
// stands at the end, as in the files of runtime/pprof.
type encoder struct {
	p         *Profile
	file      *symbols
	index     []uint64 // number in Dict.text → index in the file + 1
	strings   []string
	before    uint64            // the number of strings in parts before this one
	extra     map[string]uint64 // strings that are not in the Dict
	mappings  []uint64          // MappingID → id in the file
	functions []uint64
	locations []uint64
	out, sub  fieldWriter
	line      fieldWriter
}

func newEncoder(p *Profile) *encoder {
	e := &encoder{p: p, file: p.file, strings: []string{""}, extra: map[string]uint64{"": 0}}
	if e.file == nil {
		e.file = symbolsOf(p)
	}
	e.index = make([]uint64, max(1, len(p.Dict.text.strs)))
	e.mappings = e.file.mappings.byEntry(p.Dict.mappings.len())
	e.functions = e.file.functions.byEntry(p.Dict.functions.len())
	e.locations = e.file.locations.byEntry(p.Dict.locations.len())
	return e
}

func (e *encoder) encode() []byte {
	for _, t := range e.p.SampleTypes {
		e.valueType(1, t)
	}
	for row := range e.p.Stacks {
		e.sample(row)
	}
	for i, m := range e.file.mappings.list {
		e.mapping(e.file.mappings.id(i), m)
	}
	for i, l := range e.file.locations.list {
		e.location(e.file.locations.id(i), l)
	}
	for i, f := range e.file.functions.list {
		e.function(e.file.functions.id(i), f)
	}
	e.header()
	for _, s := range e.strings {
		e.out.text(6, s)
	}
	return e.out
}

func (e *encoder) header() {
	p := e.p
	e.out.number(7, e.text(p.DropFrames))
	e.out.number(8, e.text(p.KeepFrames))
	e.out.number(9, uint64(p.TimeNanos))
	e.out.number(10, uint64(p.DurationNanos))
	if p.PeriodType != (ValueType{}) {
		e.valueType(11, p.PeriodType)
	}
	e.out.number(12, uint64(p.Period))
	for _, c := range p.Comments {
		e.out.always(13, e.text(c))
	}
	e.out.number(14, e.text(p.DefaultSampleType))
	e.out.number(15, e.text(p.DocURL))
}

func (e *encoder) valueType(field int, t ValueType) {
	e.sub = e.sub[:0]
	e.sub.number(1, e.text(t.Type))
	e.sub.number(2, e.text(t.Unit))
	e.out.message(field, e.sub)
}

// text returns the index in the file of a string of the header.
func (e *encoder) text(s string) uint64 {
	i, ok := e.extra[s]
	if !ok {
		i = e.addText(s)
		e.extra[s] = i
	}
	return i
}

// dictText returns the index in the file of a string of the dictionary.
func (e *encoder) dictText(id uint32) uint64 {
	if id == 0 {
		return 0
	}
	if e.index[id] == 0 {
		e.index[id] = e.addText(e.p.Dict.text.at(id))
	}
	return e.index[id]
}

func (e *encoder) addText(s string) uint64 {
	e.strings = append(e.strings, s)
	return e.before + uint64(len(e.strings)-1)
}
