package arena

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// address matches a memory address, which is of no use in a message.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// mustPanic runs f and checks that it panics with a message that holds want, and
// no address.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		v := recover()
		if v == nil {
			t.Fatalf("no panic; want one with %q", want)
		}
		var got string
		switch v := v.(type) {
		case error:
			got = v.Error()
		case string:
			got = v
		}
		if !strings.Contains(got, want) {
			t.Fatalf("panic %q, want one with %q", got, want)
		}
		if address.MatchString(got) {
			t.Fatalf("panic %q tells an address", got)
		}
	}()
	f()
}

func TestFreedArenaPanics(t *testing.T) {
	a := NewArena()
	s := NewSlab[node](a)
	s.New()
	New[node](a)
	m := a.Mark()
	a.Free()
	for name, f := range map[string]func(){
		"New":               func() { New[node](a) },
		"New of size zero":  func() { New[struct{}](a) },
		"ReflectNew":        func() { ReflectNew(a, reflect.TypeFor[node]()) },
		"MakeSlice":         func() { MakeSlice[int](a, 1, 1) },
		"MakeSlice empty":   func() { MakeSlice[int](a, 0, 0) },
		"AlignedBytes":      func() { AlignedBytes(a, 1, 8) },
		"AlignedBytes none": func() { AlignedBytes(a, 0, 8) },
		"AlignedBytes any":  func() { AlignedBytes(a, 0, 1) },
		"NewSlab":           func() { NewSlab[int](a) },
		"Slab":              func() { s.New() },
		"Slab slice":        func() { s.MakeSlice(1, 1) },
		"Slab empty slice":  func() { s.MakeSlice(0, 0) },
		"Bytes":             func() { Bytes(a, []byte("x")) },
		"Bytes empty":       func() { Bytes(a, []byte{}) },
		"Bytes nil":         func() { Bytes(a, nil) },
		"String":            func() { String(a, "x") },
		"String empty":      func() { String(a, "") },
		"Concat":            func() { Concat(a, "x", "y") },
		"Concat of one":     func() { Concat(a, "x") },
		"Concat of none":    func() { Concat(a) },
		"Append":            func() { Append(a, []int(nil), 1) },
		"Append with room":  func() { Append(a, make([]int, 0, 1), 1) },
		"Append nothing":    func() { Append(a, []int(nil)) },
		"NewMap":            func() { NewMap[string, int](a, 0) },
		"NewBuffer":         func() { NewBuffer(a, 0) },
		"Stats":             func() { a.Stats() },
		"Reset":             a.Reset,
		"Trim":              a.Trim,
		"Retain":            func() { a.Retain(0) },
		"Mark":              func() { a.Mark() },
		"ResetTo":           func() { a.ResetTo(m) },
		"Free":              a.Free,
	} {
		t.Run(name, func(t *testing.T) { mustPanic(t, "freed", f) })
	}
}

func TestFreedArenaIsNotTheNextOne(t *testing.T) {
	old := NewArena()
	stale := NewSlab[node](old)
	old.Free()
	next := NewArena()
	defer next.Free()
	New[node](next)
	mustPanic(t, "freed", func() { stale.New() })
	mustPanic(t, "freed", func() { New[node](old) })
}

func TestMakeSlicePanicsLikeMake(t *testing.T) {
	a := NewArena()
	defer a.Free()
	for _, c := range []struct {
		len, cap int
		want     string
	}{
		{-1, 1, "makeslice: len out of range"},
		{2, 1, "makeslice: cap out of range"},
		{0, -1, "makeslice: "},
		{1, 1 << (intBits - 2), "makeslice: cap out of range"},
		{1 << (intBits - 2), 1 << (intBits - 2), "makeslice: len out of range"},
	} {
		mustPanic(t, c.want, func() { MakeSlice[node](a, c.len, c.cap) })
		mustPanic(t, c.want, func() { NewSlab[node](a).MakeSlice(c.len, c.cap) })
	}
}

const intBits = 32 << (^uint(0) >> 63)

func TestSizesOutOfRangePanicLikeMake(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			mustPanic(t, "makeslice: cap out of range", func() { NewBuffer(a, -1) })
			mustPanic(t, "out of range", func() { NewMap[int, int](a, math.MaxInt) })
			if intBits == 64 { // 2 GiB may well be had
				mustPanic(t, "out of range", func() { NewBuffer(a, math.MaxInt) })
			} else {
				many := slices.Repeat([]string{strings.Repeat("x", 1<<20)}, 1<<11)
				mustPanic(t, "out of range", func() { Concat(a, many...) })
			}
			// The arena stays usable, and a map may have a negative size, as with make.
			m := NewMap[int, string](a, -1)
			m.Set(1, Concat(a, "x", "y"))
			if v, _ := m.Get(1); v != "xy" || m.Len() != 1 {
				t.Errorf("a map of size -1 has %q", v)
			}
		})
	}
}
