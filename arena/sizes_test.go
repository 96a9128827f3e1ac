package arena

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"
)

// FuzzSizes allocates what the input says and checks that nothing overlaps.
func FuzzSizes(f *testing.F) {
	f.Add([]byte{0, 1, 2, 255, 254, 3})
	f.Fuzz(func(t *testing.T, ops []byte) {
		a := NewArena()
		defer a.Free()
		var all [][]byte
		for i := 0; i+1 < len(ops); i += 2 {
			n := int(ops[i]) << (ops[i+1] % 8)
			var b []byte
			switch ops[i+1] >> 5 {
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
			}
			for j := range b {
				if b[j] != 0 {
					t.Fatal("not zero")
				}
				b[j] = byte(len(all))
			}
			all = append(all, b)
			// Between the bytes, what has an alignment.
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
