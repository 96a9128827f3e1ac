package arena

import (
	"strings"
	"testing"
)

// TestHashOfStringsUsesEveryByte changes one byte of strings, of all lengths that
// have a code path of their own.
func TestHashOfStringsUsesEveryByte(t *testing.T) {
	same := 0
	for n := range 130 {
		s := strings.Repeat("x", n)
		for i := range n {
			if hashOfString(s) == hashOfString(s[:i]+"y"+s[i+1:]) {
				same++
			}
		}
		if hashOfString(s) == hashOfString(s+"x") {
			same++
		}
	}
	if same > 1 { // of 8,515 pairs, each with a probability of 2⁻³²
		t.Errorf("%d pairs of strings have the same hash", same)
	}
}

func TestMapOfStringsOfAllLengths(t *testing.T) {
	a := NewArena()
	defer a.Free()
	m := NewMap[string, int](a, 0)
	for i := range 300 {
		m.Set(String(a, strings.Repeat("k", i)), i)
	}
	for i := range 300 {
		k := strings.Repeat("k", i)
		if v, ok := m.Get(k); !ok || v != i {
			t.Errorf("a key of %d bytes is found: %t, as %d", i, ok, v)
		}
		if _, ok := m.Get(k + "!"); ok {
			t.Errorf("a key of %d bytes that was not set is found", i+1)
		}
	}
}
