package profile

import "encoding/binary"

// fieldWriter writes protobuf fields.
type fieldWriter []byte

func (b *fieldWriter) varint(x uint64) { *b = binary.AppendUvarint(*b, x) }

// always writes a number, 0 too: for repeated fields.
func (b *fieldWriter) always(field int, x uint64) {
	b.varint(uint64(field)<<3 | wireVarint)
	b.varint(x)
}

// number writes a number unless it is 0, the default.
func (b *fieldWriter) number(field int, x uint64) {
	if x != 0 {
		b.always(field, x)
	}
}

func (b *fieldWriter) message(field int, m []byte) {
	b.varint(uint64(field)<<3 | wireBytes)
	b.varint(uint64(len(m)))
	*b = append(*b, m...)
}

func (b *fieldWriter) text(field int, s string) {
	b.varint(uint64(field)<<3 | wireBytes)
	b.varint(uint64(len(s)))
	*b = append(*b, s...)
}
