package arena

import (
	"math"
	"strings"
	"testing"
	"unsafe"
)

func TestStrings(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			in := []byte("hello")
			s, b := String(a, string(in)), Bytes(a, in)
			in[0] = 'X'
			if s != "hello" || string(b) != "hello" {
				t.Errorf("copies read %q and %q", s, b)
			}
			if got := Concat(a, "a", "", "bc", s); got != "abchello" {
				t.Errorf("Concat: %q", got)
			}
			if String(a, "") != "" || Concat(a) != "" || Bytes(a, nil) != nil || Bytes(a, []byte{}) == nil {
				t.Error("empty strings and bytes")
			}
			big := strings.Repeat("x", 5<<20)
			if String(a, big) != big {
				t.Error("big string")
			}
			if a != nil && !plainHeap && !containsString(s) {
				t.Error("the copy is not in the arena")
			}
		})
	}
}

func TestAlignedBytes(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			for align := 1; align <= 8192; align *= 2 {
				for _, n := range []int{0, 1, 100, 5000} {
					b := AlignedBytes(a, n, align)
					if len(b) != n || cap(b) != n {
						t.Errorf("len %d cap %d, want %d", len(b), cap(b), n)
					}
					if n > 0 && uintptr(unsafe.Pointer(&b[0]))%uintptr(align) != 0 {
						t.Errorf("%p is not aligned to %d", b, align)
					}
				}
			}
			mustPanic(t, "power of two", func() { AlignedBytes(a, 1, 3) })
			mustPanic(t, "power of two", func() { AlignedBytes(a, 1, 0) })
			mustPanic(t, "AlignedBytes: len out of range", func() { AlignedBytes(a, -1, 8) })
			mustPanic(t, "AlignedBytes: len out of range", func() { AlignedBytes(a, math.MaxInt, 8) })
			mustPanic(t, "AlignedBytes: len out of range", func() { AlignedBytes(a, math.MaxInt-7, 8) })
		})
	}
}
