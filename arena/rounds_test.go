package arena

import (
	"bytes"
	"math"
	"testing"
)

// TestRoundsOfCopies ends rounds of copies, for which Reset has a fast path, after
// less, as much and more than in the rounds before, and between rounds with other
// values.
func TestRoundsOfCopies(t *testing.T) {
	nothing := func(*Arena) {}
	a := new(Pool).Get()
	defer a.Free()
	var peak, size int64
	for round, r := range []struct {
		copies, length int
		other          func(*Arena)
	}{
		{0, 0, nothing}, {1, 3, nothing}, {0, 0, nothing}, {3, 700, nothing}, {3, 700, nothing}, {2, 1, nothing},
		{5, 700, nothing}, {1, 3, func(a *Arena) { a.Mark() }}, {1, 3, nothing},
		{1, 3, func(a *Arena) { a.Retain(-1) }}, {1, 3, func(a *Arena) { a.Retain(0) }}, {4, 3, nothing},
		{1, 3, (*Arena).Trim}, {9, 900, nothing}, {9, 900, nothing}, {1, 3, nothing},
		{1, 3, func(a *Arena) { *New[*int](a), size = new(int), 8 }}, {1, 3, nothing}, {100, 900, nothing}, {1, 3, nothing},
	} {
		size = 0
		r.other(a)
		var all [][]byte
		for i := range r.copies {
			all = append(all, Bytes(a, bytes.Repeat([]byte{byte(i)}, r.length)))
		}
		for i, b := range all {
			if len(b) != r.length || cap(b) != r.length || bytes.Count(b, []byte{byte(i)}) != r.length {
				t.Errorf("round %d: copy %d reads %v, with a capacity of %d", round, i, b, cap(b))
			}
		}
		peak = max(peak, size+int64(r.copies*r.length))
		a.Reset()
		if s := a.Stats(); s.Bytes != 0 || s.Objects != 0 || s.Peak != peak {
			t.Errorf("after round %d: %+v, want a peak of %d", round, s, peak)
		}
	}
}

// TestRoundOfMoreThanMemory counts more bytes than 32 bits can address: the heap may
// have collected some of them during the round.
func TestRoundOfMoreThanMemory(t *testing.T) {
	a := NewArena()
	defer a.Free()
	for range 2 {
		New[int](a)
		New[*int](a)
		String(a, "x")
		for _, s := range a.core.slabs {
			s.outside, s.fresh, a.core.whole = math.MaxInt32, invalid, invalid // as advance does
		}
		a.Stats()
		a.Reset()
		if s := a.Stats(); s.Bytes != 0 || s.Peak < math.MaxInt32 {
			t.Errorf("after Reset: %+v", s)
		}
	}
	if got := String(a, "copied"); got != "copied" {
		t.Errorf("a copy reads %q", got)
	}
}

// TestRoundsOfFewPointers ends rounds that fit into the chunk of the round before,
// for which Reset has a path of its own.
func TestRoundsOfFewPointers(t *testing.T) {
	a := new(Pool).Get()
	defer a.Free()
	for round := range 8 {
		for i := range 5 {
			n := New[node](a)
			if *n != (node{}) {
				t.Fatalf("round %d: value %d is %+v, want zero", round, i, *n)
			}
			*n = node{left: n, right: &node{}, value: i}
		}
		a.Reset()
	}
}

// TestFastResetAfterRetainAndTrim changes the memory of an arena between rounds
// that Reset ends in the fast way. Each of these rounds fills the chunk of bytes.
func TestFastResetAfterRetainAndTrim(t *testing.T) {
	for name, change := range map[string]func(*Arena){
		"Retain": func(a *Arena) { a.Retain(-1); a.Reset() },
		"Trim":   func(a *Arena) { a.Trim(); a.Reset() },
	} {
		a := new(Pool).Get()
		Bytes(a, []byte("x"))
		chunk := a.Stats().Retained // the size of its first chunk
		for range 4 {
			a.Reset()
			Bytes(a, make([]byte, chunk))
		}
		a.Reset()
		change(a)
		if kept := a.Stats().Retained; kept != 0 {
			t.Errorf("%s: %d bytes are kept, want none", name, kept)
		}
		if s := String(a, "copied"); s != "copied" {
			t.Errorf("%s: a copy reads %q", name, s)
		}
		if s := a.Stats(); s.Bytes != int64(len("copied")) {
			t.Errorf("%s: %d bytes are alive, want %d", name, s.Bytes, len("copied"))
		}
		a.Free()
	}
}

// TestRoundsWithOneLargeCopy ends equal rounds, each with a copy that gets a chunk of
// its own, and a small one that does not fit it. They must settle on one chunk.
func TestRoundsWithOneLargeCopy(t *testing.T) {
	if !reuse || !merges {
		t.Skip("this build drops memory")
	}
	a := new(Pool).Get()
	defer a.Free()
	large, small := make([]byte, 600<<10), make([]byte, 3<<10)
	round := func() {
		Bytes(a, large)
		Bytes(a, small)
		a.Reset()
	}
	for range 3 {
		round()
	}
	if n := testing.AllocsPerRun(10, round); n != 0 {
		t.Errorf("a round takes %v allocations", n)
	}
}
