// Package foreign makes pprof profiles of other formats that programs push: folded stacks,
// and OTLP.
//
// The stance: a message decides neither how much memory is used nor how much comes out. Both
// are bounded while a profile is made.
package foreign

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// mostOut bounds the profiles that one message becomes, in bytes: a stack that many samples
// share is there once in a message and, as a profile, once for each.
const mostOut = 64 << 20

// mostFrames bounds the functions of a stack.
const mostFrames = 10_000

// ErrLarge is wrapped by the error of a message that becomes too large a profile.
var ErrLarge = errors.New("too large")

// pprof writes a profile (github.com/google/pprof/blob/main/proto/profile.proto).
type pprof struct {
	out     []byte
	strings map[string]uint64
}

func newPprof() *pprof {
	p := &pprof{strings: map[string]uint64{}}
	p.text("") // the first entry of the table
	return p
}

// text returns the number of a string in the table.
func (p *pprof) text(s string) uint64 {
	id, ok := p.strings[s]
	if !ok {
		id = uint64(len(p.strings))
		p.strings[s] = id
		p.message(6, []byte(s))
	}
	return id
}

func (p *pprof) number(field protowire.Number, n uint64) { p.out = number(p.out, field, n) }

func (p *pprof) message(field protowire.Number, message []byte) { p.out = data(p.out, field, message) }

// valueType writes a sample type (field 1) or the period's type (field 11).
func (p *pprof) valueType(field protowire.Number, kind, unit string) {
	p.message(field, number(number(nil, 1, p.text(kind)), 2, p.text(unit)))
}

// sample writes a sample; the locations are numbers of those that are written, the innermost
// first.
func (p *pprof) sample(locations []uint64, values ...int64) error {
	var sample, packed []byte
	for _, id := range locations {
		packed = protowire.AppendVarint(packed, id)
	}
	sample = data(sample, 1, packed)
	packed = nil
	for _, v := range values {
		packed = protowire.AppendVarint(packed, uint64(v))
	}
	p.message(2, data(sample, 2, packed))
	if len(p.out) > mostOut {
		return fmt.Errorf("%w: it becomes a profile of more than %d MiB", ErrLarge, mostOut>>20)
	}
	return nil
}

// line appends a line to a location.
func line(location []byte, function, line uint64) []byte {
	return data(location, 4, number(number(nil, 1, function), 2, line))
}

// function writes a function with a number of its own.
func (p *pprof) function(id uint64, name, system, file string, start uint64) {
	f := number(number(nil, 1, id), 2, p.text(name))
	p.message(5, number(number(number(f, 3, p.text(system)), 4, p.text(file)), 5, start))
}

// data appends a field that holds text, a message or packed numbers.
func data(b []byte, field protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), content)
}

// number appends a field that holds a number. 0 is left out, as proto3 does.
func number(b []byte, field protowire.Number, n uint64) []byte {
	if n == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}
