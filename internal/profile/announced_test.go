package profile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"
)

// Sizes that a small file announces take no memory.
func TestAnnouncedSizes(t *testing.T) {
	noise := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	trailer := gz(t, noise)
	binary.LittleEndian.PutUint32(trailer[len(trailer)-4:], 1<<30)
	zstdOf := func(size uint32, head ...byte) []byte {
		b := append([]byte{0x28, 0xb5, 0x2f, 0xfd}, head...)
		return append(binary.LittleEndian.AppendUint32(b, size), 1<<3|1, 0, 0, 'x') // the last block, of one byte
	}
	// The length of a field of 1 GiB, and of packed numbers.
	field := []byte{0x0a, 0x80, 0x80, 0x80, 0x80, 0x04, 1}
	packed := []byte{0x12, 0x08, 0x12, 0x80, 0x80, 0x80, 0x80, 0x04, 1, 1, 1}
	for name, file := range map[string][]byte{
		"gzip": trailer, "zstd": zstdOf(300<<20, 0x80, 0x10), "zstd in one segment": zstdOf(300<<20, 0xa0), "a window": zstdOf(30<<20, 0xa0),
		"a second stream": append(zstdOf(1, 0xa0), zstdOf(300<<20, 0x80, 0x10)...), "field": field, "packed": packed,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := NewDecoder(Options{}).Decode(name, bytes.NewReader(file))
			runtime.ReadMemStats(&after)
			// A window is allocated when it is announced.
			if got, most := after.TotalAlloc-before.TotalAlloc, uint64(16*len(file)+maxWindow+8<<20); err == nil || got > most {
				t.Errorf("%d bytes allocated %d, more than %d, %v", len(file), got, most, err)
			}
		})
	}
}
