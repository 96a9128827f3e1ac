package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errDamaged = errors.New("damaged: its checksum is wrong")

// seal puts a checksum in front of a value.
func seal(value []byte) []byte {
	sealed := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(value)), crc32.Checksum(value, castagnoli))
	return append(sealed, value...)
}

// unseal returns the value behind its checksum. It shares the memory.
func unseal(sealed []byte) ([]byte, error) {
	if len(sealed) < 4 || binary.LittleEndian.Uint32(sealed) != crc32.Checksum(sealed[4:], castagnoli) {
		return nil, errDamaged
	}
	return sealed[4:], nil
}

// maxInflated bounds the inflated size of a sealed value, in bytes. The columns of the
// largest profile that is accepted stay below.
const maxInflated = 1 << 28

var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
})

var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxInflated))
})

// pack compresses and seals a value.
func pack(value []byte) ([]byte, error) {
	z, err := packer()
	if err != nil {
		return nil, err
	}
	return seal(z.EncodeAll(value, nil)), nil
}

// unpack returns a packed value.
func unpack(packed []byte) ([]byte, error) {
	inner, err := unseal(packed)
	if err != nil {
		return nil, err
	}
	z, err := unpacker()
	if err != nil {
		return nil, err
	}
	value, err := z.DecodeAll(inner, nil)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return value, nil
}
