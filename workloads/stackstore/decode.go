package main

import "fmt"

// Field numbers of the messages in a profile, from proto/profile.proto of
// github.com/google/pprof.
const (
	profileSample   = 2
	profileLocation = 4
	profileFunction = 5
	profileString   = 6
	sampleLocation  = 1
	sampleValue     = 2
	locationID      = 1
	locationLine    = 4
	lineFunction    = 1
	functionID      = 1
	functionName    = 2
)

// maxID bounds the ids that are looked up in tables. Profilers count from one;
// larger ids would make a table as large as somebody likes.
const maxID = 1 << 20

// frames says, for each location of a profile by its id, which functions are
// there: the leaf of inlined calls first.
type frames [][]symbol

// symbolize reads the tables of a profile.
func (s *store) symbolize(data []byte) (frames, error) {
	var names, locations [][]byte
	var functions []uint64 // names by id
	m := message{rest: data}
	for m.next() {
		switch m.number {
		case profileString:
			names = append(names, m.bytes) // want: append-without-room
		case profileLocation:
			locations = append(locations, m.bytes) // want: append-without-room
		case profileFunction:
			id, name, err := function(m.bytes)
			if err != nil {
				return nil, err
			}
			if functions, err = put(functions, id, name); err != nil {
				return nil, err
			}
		}
	}
	if m.err != nil {
		return nil, m.err
	}

	symbols := make([]symbol, len(functions))
	for id, name := range functions {
		if name >= uint64(len(names)) {
			return nil, unknown("string", name)
		}
		symbols[id] = s.symbol(names[name])
	}
	all := make(frames, 0, len(locations)+1)
	calls := make([]symbol, 0, len(locations)) // few calls are inlined
	for _, l := range locations {
		id, more, err := location(l, symbols, calls)
		if err != nil {
			return nil, err
		}
		if all, err = put(all, id, more[len(calls):]); err != nil {
			return nil, err
		}
		calls = more
	}
	return all, nil
}

func function(data []byte) (id, name uint64, err error) {
	m := message{rest: data}
	for m.next() {
		switch m.number {
		case functionID:
			id = m.value
		case functionName:
			name = m.value
		}
	}
	return id, name, m.err
}

// location returns the id of a location and appends the functions there.
func location(data []byte, symbols, calls []symbol) (id uint64, more []symbol, err error) {
	m := message{rest: data}
	for m.next() {
		switch m.number {
		case locationID:
			id = m.value
		case locationLine:
			line := message{rest: m.bytes}
			for line.next() {
				if line.number != lineFunction {
					continue
				}
				if line.value >= uint64(len(symbols)) {
					return 0, nil, unknown("function", line.value)
				}
				calls = append(calls, symbols[line.value])
			}
			if line.err != nil {
				return 0, nil, line.err
			}
		}
	}
	return id, calls, m.err
}

// put sets table[id], after making room for it.
func put[T any](table []T, id uint64, v T) ([]T, error) {
	if id >= maxID {
		return nil, fmt.Errorf("id %d: this store takes profiles whose ids count from 1", id)
	}
	for uint64(len(table)) <= id {
		var none T
		table = append(table, none)
	}
	table[id] = v
	return table, nil
}

func unknown(what string, id uint64) error {
	return fmt.Errorf("there is no %s %d: the profile is damaged", what, id)
}
