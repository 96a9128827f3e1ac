package arena

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// written is in every node that a round has filled.
const written = 0x5afe

// A past round left these pointers to values that are dead by now.
type past struct {
	nodes []*node
	words []*[3]uintptr // as large as a node
	texts []string
	bytes [][]byte
}

// TestStalePointersDoNoHarm reads and writes through pointers that outlived
// their values. They must find values of their own type, and the collector must
// not find pointers that are none.
func TestStalePointersDoNoHarm(t *testing.T) {
	if !reuse || Backend == "goarena" {
		t.Skip("in this build the use of a stale pointer is reported, or faults")
	}
	// An address behind a large object, in its last page, belongs to no object: the
	// collector crashes the program if a pointer holds it.
	large := make([]byte, 100_001)
	bad := [3]uintptr{uintptr(unsafe.Pointer(&large[0])) + 101_000, 1, ^uintptr(0)}
	var pool Pool
	var rounds []*past
	a := pool.Get()
	for round := range 60 {
		at := a.Mark()
		p := new(past)
		p.fill(a, 100+round%7*300, bad)
		rounds = append(rounds[max(0, len(rounds)-8):], p)
		switch round % 4 {
		case 0, 1:
			a.Reset()
		case 2:
			a.ResetTo(at)
		case 3:
			a.Free()
			a = pool.Get()
		}
		if round%5 == 0 {
			a.Trim()
		}
		for _, p := range rounds {
			p.read(t)
			p.write(bad)
		}
		runtime.GC()
	}
	a.Free()
	runtime.KeepAlive(large)
}

// fill allocates count values of each type.
func (p *past) fill(a *Arena, count int, bad [3]uintptr) {
	nodes := NewSlab[node](a)
	for i := range count {
		n, w := nodes.New(), New[[3]uintptr](a)
		switch i % 3 {
		case 1:
			n = &MakeSlice[node](a, 3, 3)[1]
		case 2:
			n = &Append(a, nil, node{}, node{})[1]
		}
		p.nodes, p.words = append(p.nodes, n), append(p.words, w)
		p.texts = append(p.texts, String(a, "a text of some length"))
		p.bytes = append(p.bytes, Bytes(a, make([]byte, 3*unsafe.Sizeof(bad))))
	}
	p.write(bad)
}

// TestStaleBoolIsABool reads bools where bytes were written since. With bits other
// than those of true and false, a program would read and write out of bounds, because
// the compiler drops the check of an index that a bool decides.
func TestStaleBoolIsABool(t *testing.T) {
	type flagged struct {
		n    uint8
		flag [2]bool
	}
	if !reuse || Backend == "goarena" {
		t.Skip("in this build the use of a stale pointer is reported, or faults")
	}
	a := NewArena()
	defer a.Free()
	for round := range 3 {
		bools := Append(a, nil, true, false, true)
		more := Append(a, bools, true)
		structs := Append(a, nil, flagged{flag: [2]bool{true, true}})
		single := New[bool](a)
		a.Reset()
		for range 100 {
			Bytes(a, bytes.Repeat([]byte{200}, 100))
			s := MakeSlice[byte](a, 100, 100)
			copy(s, bytes.Repeat([]byte{200}, 100))
			Append(a, nil, s...)
			Append(a, nil, flagged{n: 200})
		}
		for _, b := range slices.Concat(bools, more, structs[0].flag[:], []bool{*single}) {
			if bits := *(*byte)(unsafe.Pointer(&b)); bits > 1 {
				t.Fatalf("round %d: a bool has the bits %#x", round, bits)
			}
		}
	}
}

// TestStaleMapDoesNotSearchForEver uses a map after ResetTo a checkpoint after
// which it has grown, when its index has become something else.
func TestStaleMapDoesNotSearchForEver(t *testing.T) {
	if plainHeap || !reuse || Backend == "goarena" {
		t.Skip("in this build the memory of the map is not used again")
	}
	a := NewArena()
	defer a.Free()
	m := NewMap[int, int](a, 0)
	m.Set(1, 1)
	at := a.Mark()
	for i := range 100 {
		m.Set(i, i)
	}
	a.ResetTo(at)
	for range 1000 {
		s := MakeSlice[uint64](a, 32, 32)
		for i := range s {
			s[i] = 1<<32 | 1
		}
	}
	mustPanic(t, "a Map whose memory has been freed", func() { m.Get(7) })
	mustPanic(t, "a Map whose memory has been freed", func() { m.Set(7, 7) })
	mustPanic(t, "a Map whose memory has been freed", func() { m.Delete(7) })
}

// read fails if a node that can be reached from here is damaged.
func (p *past) read(t *testing.T) {
	for i, n := range p.nodes {
		for steps := 0; n != nil && steps < 5; steps++ {
			if n.value != 0 && n.value != written {
				t.Fatalf("%d steps from node %d is a value of %#x", steps, i, n.value)
			}
			if n.left != nil && n.left.value != written {
				t.Fatalf("%d steps from node %d is a heap value of %#x", steps, i, n.left.value)
			}
			n = n.right
		}
	}
	for i, text := range p.texts {
		if len(strings.Clone(text)) != len("a text of some length") {
			t.Fatalf("text %d has %d bytes", i, len(text))
		}
	}
}

// write fills everything: nodes with pointers to the heap and among each other,
// and all else with numbers that must not become a pointer.
func (p *past) write(bad [3]uintptr) {
	for i, n := range p.nodes {
		*n = node{left: &node{value: written}, right: p.nodes[i*7%len(p.nodes)], value: written}
	}
	for _, w := range p.words {
		*w = bad
	}
	pattern := unsafe.Slice((*byte)(unsafe.Pointer(&bad)), unsafe.Sizeof(bad))
	for _, b := range p.bytes {
		for len(b) > 0 {
			b = b[copy(b, pattern):]
		}
	}
}
