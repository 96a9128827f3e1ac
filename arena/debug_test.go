//go:build arenadebug

package arena

import (
	"testing"
	"unsafe"
)

// TestLateWriteIsFoundByTheNextRound writes to freed memory that an allocation
// would not get to for long: much else was freed as well.
func TestLateWriteIsFoundByTheNextRound(t *testing.T) {
	for name, next := range map[string]func(*Arena, Checkpoint){
		"NewArena": func(*Arena, Checkpoint) { NewArena() },
		"Get":      func(*Arena, Checkpoint) { new(Pool).Get() },
		"Reset":    func(a *Arena, _ Checkpoint) { a.Reset() },
		"ResetTo":  (*Arena).ResetTo,
		"Free":     func(a *Arena, _ Checkpoint) { a.Free() },
		"Leaks":    func(*Arena, Checkpoint) { Leaks() },
	} {
		t.Run(name, func(t *testing.T) {
			a := NewArena()
			var freed [12][]byte
			for i := range freed {
				freed[i] = MakeSlice[byte](a, 1<<20, 1<<20)
			}
			a.Reset()
			at := a.Mark()
			for _, i := range []int{0, 5, 11} {
				freed[i][i<<10] = 'x'
				mustPanic(t, "a freed uint8 was written", func() { next(a, at) })
			}
			a.Free() // each write is reported once
		})
	}
}

// TestPoisonedBoolsAreBools reads freed values with bools, whose padding is not zero,
// and lets the package check them.
func TestPoisonedBoolsAreBools(t *testing.T) {
	type padded struct {
		flag bool
		n    uint32
	}
	a := NewArena()
	many := MakeSlice[padded](a, 3000, 3000)
	grown := Append(a, nil, many...)
	for i := range many {
		*(*[8]byte)(unsafe.Pointer(&many[i])) = [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	}
	a.Reset()
	for _, p := range [][]padded{many, grown} {
		for i := range p {
			if b := *(*[8]byte)(unsafe.Pointer(&p[i])); b[0] > 1 || b[4] != poisonByte {
				t.Fatalf("freed value %d is %x", i, b)
			}
		}
	}
	a.Reset() // which checks for writes
	many[2999].n = 1
	mustPanic(t, "a freed arena.padded was written, at offset 4", a.Free)
	a.Free()
}

func TestQuarantineOfSmallPieces(t *testing.T) {
	a := NewArena()
	defer a.Free()
	for range 2 * maxRegions {
		at := a.Mark()
		New[int](a)
		a.ResetTo(at)
	}
	if n := len(quarantine.regions); n != maxRegions {
		t.Errorf("%d pieces of freed memory are kept, want %d", n, maxRegions)
	}
}
