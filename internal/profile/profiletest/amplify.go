package profiletest

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
)

// Amplifiers returns the names of profiles that ask for much more memory than
// they have bytes.
func Amplifiers() []string { return slices.Sorted(maps.Keys(amplifiers)) }

// Amplify writes a profile of n entries that a name of Amplifiers stands for,
// gzip-compressed. Nothing of it is held in memory.
func Amplify(w io.Writer, name string, n int) error {
	return amplifiers[name].write(w, n)
}

func (a amplifier) write(w io.Writer, n int) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(z, 1<<16)
	buf.Write(message(6, nil))
	types := a.types
	if types == nil {
		types = []string{"cpu"}
	}
	for _, s := range append([]string{"nanoseconds"}, types...) {
		buf.Write(message(6, []byte(s)))
	}
	for i := range types {
		buf.Write(message(1, fields(1, uint64(i+2), 2, 1)))
	}
	buf.Write(a.before)
	if a.inside > 0 {
		// One message of n parts, which have one size.
		size := len(a.part(0))
		head := binary.AppendUvarint(nil, uint64(a.inside)<<3|2)
		buf.Write(binary.AppendUvarint(head, uint64(len(a.begin)+n*size)))
		buf.Write(a.begin)
	}
	for i := range n {
		if _, err := buf.Write(a.part(i)); err != nil {
			return err
		}
	}
	if err := errors.Join(buf.Flush(), z.Close()); err != nil {
		return err
	}
	z.Reset(w) // an empty stream hides the size of the first from those who ask the last bytes
	return z.Close()
}

// amplifier is a profile with many equal or nearly equal parts.
type amplifier struct {
	types  []string         // sample types; nil is CPU time
	before []byte           // fields of the top level before the parts
	inside int              // the field of the one message that the parts are in; 0: they are at the top level
	begin  []byte           // the beginning of the one message
	part   func(int) []byte // all of one size if inside a message
}

func same(b []byte) func(int) []byte { return func(int) []byte { return b } }

// wide is a number of five bytes, whatever its value, so that parts have one size.
func wide(i int) []byte {
	x := uint32(i)
	return []byte{byte(x) | 0x80, byte(x>>7) | 0x80, byte(x>>14) | 0x80, byte(x>>21) | 0x80, byte(x >> 28)}
}

var (
	oneFunction = message(5, fields(1, 1, 2, 1))
	oneLocation = slices.Concat(oneFunction, message(4, slices.Concat(fields(1, 1), message(4, fields(1, 1)))))
	someValue   = fields(2, 1)
)

var amplifiers = map[string]amplifier{
	"empty samples":        {part: same(message(2, nil))},
	"samples":              {part: same(message(2, someValue))},
	"empty functions":      {part: same(message(5, nil))},
	"functions":            {part: func(i int) []byte { return message(5, slices.Concat([]byte{1 << 3}, wide(i+1))) }},
	"far functions":        {part: func(i int) []byte { return message(5, fields(1, 1<<62+uint64(i))) }},
	"distinct functions":   {part: func(i int) []byte { return message(5, fields(1, uint64(i+1), 5, uint64(i))) }},
	"empty locations":      {part: same(message(4, nil))},
	"locations":            {part: func(i int) []byte { return message(4, fields(1, uint64(i+1), 3, uint64(i))) }},
	"empty strings":        {part: same(message(6, nil))},
	"strings":              {part: func(i int) []byte { return message(6, wide(i)) }},
	"empty mappings":       {part: same(message(3, nil))},
	"mappings":             {part: func(i int) []byte { return message(3, fields(1, uint64(i+1), 2, uint64(i))) }},
	"empty types":          {part: same(message(1, nil))},
	"comments":             {part: same(fields(13, 1))},
	"packed comments":      {inside: 13, part: same([]byte{1})},
	"lines of a location":  {before: oneFunction, inside: 4, begin: fields(1, 1), part: same(message(4, fields(1, 1)))},
	"labels of a sample":   {inside: 2, begin: someValue, part: same(message(3, fields(1, 1, 3, 1)))},
	"values of a sample":   {inside: 2, part: same([]byte{2 << 3, 1})},
	"locations in a stack": {before: oneLocation, inside: 2, begin: someValue, part: same([]byte{1 << 3, 1})},
	"label sets": {part: func(i int) []byte {
		return message(2, slices.Concat(someValue, message(3, fields(1, 1, 3, uint64(i+1)))))
	}},
	"stacks": {before: manyLocations(), part: func(i int) []byte {
		ids := []byte{byte(1 + i%100), byte(1 + i/100%100), byte(1 + i/1e4%100), byte(1 + i/1e6%100)}
		return message(2, slices.Concat(message(1, ids), someValue))
	}},
}

// manyLocations are a hundred functions and their locations.
func manyLocations() (all []byte) {
	for i := range uint64(100) {
		all = append(all, message(5, fields(1, i+1, 2, 1, 5, i))...)
		all = append(all, message(4, slices.Concat(fields(1, i+1, 3, i), message(4, fields(1, i+1, 2, i))))...)
	}
	return all
}

// message is a field that holds bytes.
func message(field uint64, b []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, field<<3|2), uint64(len(b))), b...)
}

// fields are fields of single numbers: number and value of each.
func fields(all ...uint64) (b []byte) {
	for pair := range slices.Chunk(all, 2) {
		b = binary.AppendUvarint(binary.AppendUvarint(b, pair[0]<<3), pair[1])
	}
	return b
}
