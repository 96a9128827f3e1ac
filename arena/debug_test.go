//go:build arenadebug

package arena

import "testing"

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
			a.Free() // each write is told of once
		})
	}
}
