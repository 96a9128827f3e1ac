package profile

import (
	"errors"
	"fmt"
)

// All errors of the parser wrap errMalformed.
var errMalformed = errors.New("not a valid profile")

// A parser turns the bytes of profile.proto
// (github.com/google/pprof/blob/main/proto/profile.proto) into columns. A first pass over the
// top level interns the text, which most writers put last, and notes where the other messages
// are. Then come mappings, functions, locations and samples, each of which needs the previous.
// The slices are scratch memory, kept for the next file.
type parser struct {
	p    *Profile
	dict *Dict
	raw  []byte

	text []uint32 // the file's index → number in dict.text

	valueTypesAt, samplesAt, mappingsAt, locationsAt, functionsAt []span

	// The tables by the file's ids. The entry of a mapping is an index of shifts.
	mappings, functions, locations ids
	shifts                         []mappingShift
	encodedIDs                     encodedIDs
	known                          map[mappingKey]MappingID // nil unless Options.Rebase

	limit int64 // the most memory to use, in bytes; 0 is unlimited
	base  int64 // bytes of memory that are held besides

	lend  bool // each file has its own Dict
	spare indexes

	follow trail[LocationID] // the trail of stacks
	places batch[uint32]     // a batch of locations

	seq      []uint32
	stack    []LocationID
	numbers  []uint64
	set      []labelSeq
	memo     labelMemo
	comments []uint64
	scanned  int // how far memory was checked while scanning
}

// A span is the range of a message in raw. Options.MaxBytes keeps raw below 4 GiB.
type span struct{ from, to uint32 }

func (s *parser) at(x span) []byte { return s.raw[x.from:x.to] }

// parse fills p. It reuses the memory of p's columns.
func (s *parser) parse(p *Profile, raw []byte) error {
	s.p, s.dict, s.raw = p, p.Dict, raw
	if s.lend {
		s.spare.swap(s.dict)
		defer s.spare.swap(s.dict)
	}
	defer func() { s.p, s.dict, s.raw = nil, nil, nil }()
	var h header
	for _, step := range []func(*header) error{
		s.scan, s.parseHeader, s.parseMappings, s.parseFunctions, s.parseLocations, s.parseSamples,
	} {
		err := step(&h)
		if errors.Is(err, ErrTooLarge) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w: %w; fetch or copy it again", errMalformed, err)
		}
	}
	return nil
}

// str returns the number in the dictionary of the file's string with the given index. The first
// wrong index sets *err.
func (s *parser) str(index uint64, err *error) uint32 {
	if index < uint64(len(s.text)) {
		return s.text[index]
	}
	if *err == nil {
		*err = fmt.Errorf("string %d of %d is asked for", int64(index), len(s.text))
	}
	return 0
}
