package arena

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"
)

// Operations of FuzzSizes with a size of eight bytes.
const wideWords, wideBytes = 8, 9

// wild returns any size except those for which make might try to take all memory: no
// system that Go supports has 2⁵⁰ bytes of addresses.
func wild(b []byte) int {
	var size [8]byte
	copy(size[:], b)
	n := int(int64(binary.LittleEndian.Uint64(size[:])))
	if n >= 0 && uint64(n) < 1<<50 {
		n %= maxChunk / 4 // of words, twice a chunk
	}
	return n
}

// unlessOutOfRange returns the result of f, or nil if f refuses the size.
func unlessOutOfRange(t *testing.T, f func() []byte) []byte {
	defer func() {
		if v := recover(); v != nil && !strings.Contains(fmt.Sprint(v), "out of range") {
			t.Errorf("panic %q", v)
		}
	}()
	return f()
}

// FuzzSizes allocates by its input and checks that nothing overlaps.
func FuzzSizes(f *testing.F) {
	f.Add([]byte{0, 1, 2, 255, 254, 3})
	for _, n := range []int64{-1, math.MinInt64, math.MaxInt64, math.MaxInt64 - 1<<20, 1 << 60, 1 << 50, maxChunk/4 - 1, 1} {
		for _, op := range []byte{wideWords, wideBytes} {
			for _, align := range []byte{0, 3, 21, 62} {
				f.Add(append(binary.LittleEndian.AppendUint64([]byte{align, op << 4}, uint64(n)), 5, 0))
			}
		}
	}
	f.Fuzz(func(t *testing.T, ops []byte) {
		a := NewArena()
		defer a.Free()
		var all [][]byte
		for i := 0; i+1 < len(ops); i += 2 {
			n := int(ops[i]) << (ops[i+1] % 8)
			var b []byte
			switch ops[i+1] >> 4 {
			case 0:
				b = MakeSlice[byte](a, n, n)
			case 1:
				b = AlignedBytes(a, n, 1<<(ops[i]%12))
			case 2:
				b = Bytes(a, make([]byte, n))
			case 3:
				MakeSlice[*int](a, n, n)
			case 4:
				b = Append(a, make([]byte, n), 0)
			case 5:
				a.ResetTo(a.Mark())
			case 6:
				New[[1000]uint16](a)[999] = 1
			case 7:
				a.Reset()
				all = nil
			case wideWords:
				n := wild(ops[i+2:])
				b = unlessOutOfRange(t, func() []byte {
					s := MakeSlice[uint64](a, n, n)
					return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 8*len(s))
				})
			case wideBytes:
				n, shift := wild(ops[i+2:]), ops[i]%(intBits-1)
				if shift < 50 {
					shift %= 22
				}
				b = unlessOutOfRange(t, func() []byte { return AlignedBytes(a, n, 1<<shift) })
			}
			for j := range b {
				if b[j] != 0 {
					t.Fatal("not zero")
				}
				b[j] = byte(len(all))
			}
			all = append(all, b)
			// Between the bytes, a value with an alignment.
			words := Append(a, nil, uint64(i))
			at := uintptr(unsafe.Pointer(&words[0]))
			if at%unsafe.Alignof(words[0]) != 0 || words[0] != uint64(i) || uintptr(unsafe.Pointer(New[*int](a)))%unsafe.Sizeof(at) != 0 {
				t.Fatalf("a word at %#x", at)
			}
		}
		for i, b := range all {
			for j := range b {
				if b[j] != byte(i) {
					t.Fatalf("block %d of %d bytes was overwritten at %d", i, len(b), j)
				}
			}
		}
	})
}

func TestGrowthNearTheLargestInt(t *testing.T) {
	const need = math.MaxInt - 1
	for _, old := range []int{1, 300, math.MaxInt / 2, math.MaxInt / 8 * 7, need - 1} {
		if got := grownCap(old, need); got < need {
			t.Errorf("from %d grows to %d", old, got)
		}
	}
}
