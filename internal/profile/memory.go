package profile

import (
	"fmt"
	"unsafe"
)

// A file of some megabytes can ask for gigabytes: a sample of four bytes takes
// twenty times that in columns, a dictionary and its index. So a decoder adds up
// its own allocations while it decodes, and gives up at a limit.
//
// The limit is three eighths of Options.MaxBytes, because a growing slice exists twice
// for a moment, and the caller needs memory to use the profile. The constant is for
// the tables that even the smallest profile needs.
func memoryLimit(maxBytes int64) int64 { return 8<<20 + maxBytes/8*3 }

// largeMessage is where the size of a single message is checked before it is
// decoded; the sum of smaller ones is checked every so many.
const (
	largeMessage = 1 << 16
	checkEvery   = 1 << 10
)

// amplification is how many bytes a byte of a message may become while it is
// decoded: packed numbers of one byte each become words of eight, twice while
// their slice grows.
const amplification = 20

// tooMuch is the error of a file that would take more memory than allowed.
func tooMuch(limit int64) error {
	return fmt.Errorf("%w: it takes more than %d MiB of memory to decode; allow more with -max-bytes if you trust it",
		ErrTooLarge, limit>>20)
}

// entryBytes is about how much is allocated for each entry of a table before the
// first is decoded: its end, two slots of the index and its numbers.
const entryBytes = 48

// fits reports whether so many bytes more may be allocated.
func (s *parser) fits(more int64) error {
	if s.limit > 0 && s.held()+more > s.limit {
		return tooMuch(s.limit)
	}
	return nil
}

// check is fits for entry i of many.
func (s *parser) check(i int, message span) error {
	if size := int64(message.to - message.from); size > largeMessage {
		return s.fits(amplification * size)
	}
	if i%checkEvery == 0 {
		return s.fits(checkEvery * largeMessage / 64)
	}
	return nil
}

// sizeof returns how many bytes of memory a slice holds.
func sizeof[T any](s []T) int64 {
	var one T
	return int64(cap(s)) * int64(unsafe.Sizeof(one))
}

// held returns about how many bytes are allocated for the file that is decoded.
func (s *parser) held() int64 {
	n := s.base + s.dict.memory() + s.p.columns() + s.scratch()
	if s.p.file != nil {
		n += s.p.file.memory()
	}
	return n
}

// scratch returns how many bytes are kept for the next file.
func (s *parser) scratch() int64 {
	n := sizeof(s.text) + sizeof(s.shifts) + sizeof(s.encodedIDs) + sizeof(s.seq) +
		sizeof(s.stack) + sizeof(s.numbers) +
		sizeof(s.set) + sizeof(s.comments) + sizeof(s.places.words) + sizeof(s.places.ends) + s.follow.memory()
	for _, at := range [][]span{s.valueTypesAt, s.samplesAt, s.mappingsAt, s.locationsAt, s.functionsAt} {
		n += sizeof(at)
	}
	for _, t := range []*ids{&s.mappings, &s.functions, &s.locations} {
		n += sizeof(t.dense) + 48*int64(len(t.sparse)) // a map's slots are up to half empty
	}
	return n + 48*int64(len(s.known))
}

// columns returns how many bytes a profile holds outside its dictionary.
func (p *Profile) columns() int64 {
	n := sizeof(p.Stacks) + sizeof(p.Labels) + sizeof(p.Mappings) + sizeof(p.Comments) +
		sizeof(p.SampleTypes) + sizeof(p.Values)
	for _, column := range p.Values {
		n += sizeof(column)
	}
	return n
}

// Memory returns about how many bytes a profile and its dictionary hold.
func (p *Profile) Memory() int64 {
	n := p.columns() + p.Dict.memory()
	if p.file != nil {
		n += p.file.memory()
	}
	return n
}

func (s *symbols) memory() int64 {
	return sizeof(s.mappings.list) + sizeof(s.mappings.ids) + sizeof(s.functions.list) + sizeof(s.functions.ids) +
		sizeof(s.locations.list) + sizeof(s.locations.ids)
}

// memory returns how many bytes a dictionary holds.
func (d *Dict) memory() int64 {
	return d.text.memory() + d.mappings.memory() + d.functions.memory() + d.locations.memory() +
		d.stacks.memory() + d.labels.memory()
}

func (t *table[W]) memory() int64 { return sizeof(t.words) + sizeof(t.ends) + sizeof(t.index.slots) }
func (t *text) memory() int64     { return sizeof(t.strs) + sizeof(t.index.slots) + t.bytes }

func (t *trail[W]) memory() int64 {
	return sizeof(t.words) + sizeof(t.ends) + sizeof(t.ids) + sizeof(t.now) + sizeof(t.last)
}
