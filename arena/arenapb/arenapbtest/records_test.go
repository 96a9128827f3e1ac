package arenapbtest

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// A record is a field of a message as it is encoded.
type record struct {
	number protowire.Number
	wire   protowire.Type
	value  []byte // as encoded, with the length or the end of the group
}

// records splits a message, until an invalid field.
func records(data []byte) []record {
	var all []record
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return all
		}
		data = data[n:]
		if n = protowire.ConsumeFieldValue(number, wire, data); n < 0 {
			return all
		}
		all = append(all, record{number, wire, data[:n]})
		data = data[n:]
	}
	return all
}

func join(all []record) []byte {
	var data []byte
	for _, x := range all {
		data = append(protowire.AppendTag(data, x.number, x.wire), x.value...)
	}
	return data
}

// octets returns the n bytes of a value with a length.
func (x record) octets() []byte {
	b, _ := protowire.ConsumeBytes(x.value)
	return b
}

// special numbers are at the bounds of types, of encodings and of memory.
var special = []uint64{
	0, 1, 127, 128, 1<<14 - 1, 1 << 14, math.MaxInt32, 1 << 31, math.MaxUint32, 1 << 32, 1 << 35, 1 << 56, math.MaxInt64, 1 << 63, math.MaxUint64,
}

func number(r *rand.Rand) uint64 {
	if r.IntN(3) == 0 {
		return special[r.IntN(len(special))]
	}
	return r.Uint64() >> r.IntN(64)
}

// overlong appends a varint with more bytes than it needs, at times too many.
func overlong(r *rand.Rand, data []byte, v uint64) []byte {
	data = protowire.AppendVarint(data, v)
	last := len(data) - 1
	data[last] |= 0x80
	for range r.IntN(max(1, 11-protowire.SizeVarint(v))) {
		data = append(data, 0x80)
	}
	return append(data, byte(r.IntN(20)/19)) // too large if it is the tenth byte
}

// restructure returns a message with its fields changed: most results are valid
// and unusual. Other is a message whose fields may be taken.
func restructure(r *rand.Rand, data, other []byte) []byte {
	all := records(data)
	for range 1 + r.IntN(4) {
		all = change(r, all, other)
	}
	data = join(all)
	switch r.IntN(12) {
	case 0:
		return mutate(r, data)
	case 1:
		return data[:r.IntN(len(data)+1)]
	case 2: // a tag or a length that is longer than necessary
		if i := r.IntN(len(data) + 1); i < len(data) {
			if v, n := protowire.ConsumeVarint(data[i:]); n > 0 {
				return slices.Concat(overlong(r, bytes.Clone(data[:i]), v), data[i+n:])
			}
		}
	}
	return data
}

// change makes one change to the fields of a message.
func change(r *rand.Rand, all []record, other []byte) []record {
	fresh := record{protowire.Number(1 + r.IntN(100)), protowire.VarintType, protowire.AppendVarint(nil, number(r))}
	if r.IntN(4) == 0 {
		fresh.number = protowire.Number(1 + r.IntN(int(protowire.MaxValidNumber)))
	}
	if len(all) == 0 {
		return append(all, fresh)
	}
	i, j := r.IntN(len(all)), r.IntN(len(all)+1)
	x := all[i]
	switch r.IntN(14) {
	case 0:
		return slices.Insert(all, j, x) // again, at another place
	case 1:
		return slices.Delete(all, i, i+1)
	case 2:
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	case 3:
		all[i].number = fresh.number
	case 4:
		return slices.Insert(all, j, fresh)
	case 5:
		if theirs := records(other); len(theirs) > 0 {
			return slices.Insert(all, j, theirs[r.IntN(len(theirs))])
		}
	case 6:
		all[i] = record{x.number, fresh.wire, overlong(r, nil, number(r))}
	case 7:
		wire := []protowire.Type{protowire.VarintType, protowire.Fixed64Type, protowire.BytesType, protowire.Fixed32Type}[r.IntN(4)]
		all[i] = record{x.number, wire, values(r, wire)}
	case 8: // a message inside
		if x.wire == protowire.BytesType {
			all[i].value = protowire.AppendBytes(nil, restructure(r, x.octets(), other))
		} else {
			all[i].value = values(r, x.wire)
		}
	case 9: // two parts of a message, which are merged
		if inside := records(x.octets()); x.wire == protowire.BytesType && len(inside) > 0 {
			cut := r.IntN(len(inside) + 1)
			all[i].value = protowire.AppendBytes(nil, join(inside[:cut]))
			return slices.Insert(all, i+1+r.IntN(len(all)-i), record{x.number, x.wire, protowire.AppendBytes(nil, join(inside[cut:]))})
		}
	case 10: // a group instead of a message, and the reverse
		if x.wire == protowire.BytesType {
			all[i] = record{x.number, protowire.StartGroupType, protowire.AppendGroup(nil, x.number, x.octets())}
		} else if x.wire == protowire.StartGroupType {
			inside, _ := protowire.ConsumeGroup(x.number, x.value)
			all[i] = record{x.number, protowire.BytesType, protowire.AppendBytes(nil, inside)}
		}
	case 11: // packed values instead of single ones, and the reverse
		if x.wire == protowire.BytesType {
			if v, n := protowire.ConsumeVarint(x.octets()); n > 0 {
				all[i] = record{x.number, protowire.VarintType, protowire.AppendVarint(nil, v)}
			}
		} else if x.wire != protowire.StartGroupType {
			all[i] = record{x.number, protowire.BytesType, protowire.AppendBytes(nil, bytes.Repeat(x.value, r.IntN(4)))}
		}
	case 12: // a run of one field
		return slices.Insert(all, j, slices.Repeat([]record{x}, r.IntN(12))...)
	default: // a length that is wrong
		if x.wire == protowire.BytesType {
			inside := x.octets()
			n := number(r)
			if r.IntN(2) == 0 {
				n = uint64(max(0, len(inside)-1+r.IntN(3)))
			}
			all[i].value = append(protowire.AppendVarint(nil, n), inside...)
		}
	}
	return all
}

// values returns a value of a wire type, or several of them packed.
func values(r *rand.Rand, wire protowire.Type) []byte {
	switch wire {
	case protowire.VarintType:
		return protowire.AppendVarint(nil, number(r))
	case protowire.Fixed32Type:
		return protowire.AppendFixed32(nil, uint32(number(r)))
	case protowire.Fixed64Type:
		return protowire.AppendFixed64(nil, number(r))
	}
	var packed []byte
	each := []protowire.Type{protowire.VarintType, protowire.Fixed32Type, protowire.Fixed64Type}[r.IntN(3)]
	for range r.IntN(5) {
		packed = append(packed, values(r, each)...)
	}
	return protowire.AppendBytes(nil, packed)
}
