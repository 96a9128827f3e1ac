// Package arenatest checks the promises of arena on random sequences of its
// operations, with values of every kind.
//
// It is a module of its own, because the imports of arena's tests would enter the
// go.sum of everybody who imports arena. So it sees the API as users do.
package arenatest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	. "github.com/heapwright/heapwright/arena"
)

// mixed has pointers, strings, padding and an interface.
type mixed struct {
	flag  bool
	next  *mixed
	name  string
	small int8
	any   any
	list  []*int
}

// machine drives an arena and remembers its contents on the plain heap.
type machine struct {
	arena  *Arena
	pool   *Pool
	bound  int64          // of the memory that the arena may keep
	live   []func() error // one check for each value that is alive
	kept   []func() error // and for each copy on the heap, which no Reset ends
	marks  []moment
	slab   *Slab[mixed]
	last   *mixed
	chain  []filled // the contents of last, last.next and so on, backwards
	ints   []int
	want   []int // model of ints
	buffer *Buffer
	text   []byte // model of buffer
	table  *Map[string, *mixed]
	model  map[string]*mixed
	ids    *Map[int16, [3]int32] // integers are hashed in another way
	known  map[int16][3]int32
}

// filled is a value as fill has made it.
type filled struct {
	n    int
	name string
}

// in reports whether p still holds it.
func (f filled) in(p *mixed) bool {
	return p.flag && p.name == f.name && p.small == int8(f.n) && reflect.DeepEqual(p.any, &[]int{f.n}) &&
		len(p.list) == 2 && *p.list[0] == f.n && p.list[1] == nil
}

type moment struct {
	at   Checkpoint
	live int
}

func newMachine(t *rapid.T) *machine {
	m := &machine{pool: &Pool{Retain: rapid.SampledFrom([]int64{-1, 0, 10_000}).Draw(t, "retain")}}
	if rapid.IntRange(0, 9).Draw(t, "nil") == 0 {
		m.pool = nil
	}
	m.start(m.pool.Get())
	return m
}

func (m *machine) start(a *Arena) {
	m.arena, m.slab = a, NewSlab[mixed](a)
	m.bound = DefaultRetain
	if m.pool != nil && m.pool.Retain != 0 {
		m.bound = max(m.pool.Retain, 0)
	}
	m.forget()
}

// forget is Reset for the model.
func (m *machine) forget() {
	m.live, m.marks, m.last, m.chain = nil, nil, nil, nil
	m.ints, m.want, m.buffer, m.text = nil, nil, nil, nil
	m.table, m.model, m.ids, m.known = nil, nil, nil, nil
}

// fill gives p values that only it has, some on the heap and some in the arena.
func (m *machine) fill(t *rapid.T, p *mixed) {
	if !reflect.ValueOf(p).Elem().IsZero() {
		t.Fatalf("a new value is not zero: %+v", *p)
	}
	n := rapid.Int().Draw(t, "n")
	f := filled{n, fmt.Sprint("name", n)}
	next := m.last
	*p = mixed{flag: true, next: next, name: String(m.arena, f.name), small: int8(n), any: &[]int{n}, list: Append(m.arena, nil, &[]int{n}[0], nil)}
	m.last, m.chain = p, append(m.chain, f)
	m.live = append(m.live, func() error {
		if !f.in(p) || p.next != next {
			return fmt.Errorf("value %d reads %+v", n, *p)
		}
		return nil
	})
}

func (m *machine) check(t *rapid.T) {
	for _, check := range slices.Concat(m.live, m.kept) {
		if err := check(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(m.ints, m.want) {
		t.Fatalf("Append: %v, want %v", m.ints, m.want)
	}
	if b := m.buffer; b != nil && (b.Len() != len(m.text) || b.String() != string(m.text) || !bytes.Equal(b.Bytes(), m.text)) {
		t.Fatalf("Buffer: %q, want %q", b.Bytes(), m.text)
	}
	if m.table != nil && !maps.Equal(maps.Collect(m.table.All()), m.model) || m.table.Len() != len(m.model) {
		t.Fatalf("Map: %v, want %v", maps.Collect(m.table.All()), m.model)
	}
	if !maps.Equal(maps.Collect(m.ids.All()), m.known) || m.ids.Len() != len(m.known) {
		t.Fatalf("Map of integers: %v, want %v", maps.Collect(m.ids.All()), m.known)
	}
	for k, want := range m.known {
		if got, ok := m.ids.Get(k); !ok || got != want {
			t.Fatalf("key %d has value %v", k, got)
		}
		if at := m.ids.At(k); at == nil || *at != want {
			t.Fatalf("At key %d is %v", k, at)
		}
	}
	s := m.arena.Stats()
	var sum int64
	for _, typ := range s.Types {
		sum += typ.Bytes
	}
	if sum != s.Bytes || s.Peak < s.Bytes || Backend != "heap" && s.Retained < s.Bytes {
		t.Fatalf("Stats do not add up: %+v", s)
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { t.Repeat(newMachine(t).actions()) })
}

// TestPropertiesUnderGC runs TestProperties where the collector checks its own
// marking and overwrites the memory it frees.
func TestPropertiesUnderGC(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	checks := "15"
	if Backend == "goarena" {
		checks = "2" // each arena maps 8 MiB, which the collector checks too
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestProperties$", "-rapid.checks="+checks)
	cmd.Env = append(os.Environ(), "GODEBUG=gccheckmark=1,clobberfree=1", "GOGC=20")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
