package arena

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
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

// machine drives an arena and remembers, on the plain heap, what must be in it.
type machine struct {
	arena *Arena
	pool  *Pool
	live  []func() error // one check for each value that is alive
	marks []moment
	slab  *Slab[mixed]
	last  *mixed
	ints  []int
	want  []int // model of ints
	table *Map[string, *mixed]
	model map[string]*mixed
	ids   *Map[int16, [3]int32] // integers are hashed in another way
	known map[int16][3]int32
}

type moment struct {
	at   Checkpoint
	live int
}

func newMachine(t *rapid.T) *machine {
	m := &machine{pool: &Pool{Retain: rapid.SampledFrom([]int64{-1, 0, 10_000}).Draw(t, "retain")}}
	m.start(m.pool.Get())
	return m
}

func (m *machine) start(a *Arena) {
	m.arena, m.slab = a, SlabOf[mixed](a)
	m.forget()
}

// forget is what a Reset does to the model.
func (m *machine) forget() {
	m.live, m.marks, m.last, m.ints, m.want = nil, nil, nil, nil, nil
	m.table, m.model, m.ids, m.known = nil, nil, nil, nil
}

// fill gives p values that only it has, some on the heap and some in the arena.
func (m *machine) fill(t *rapid.T, p *mixed) {
	if !reflect.ValueOf(p).Elem().IsZero() {
		t.Fatalf("a new value is not zero: %+v", *p)
	}
	n := rapid.Int().Draw(t, "n")
	name := fmt.Sprint("name", n)
	*p = mixed{flag: true, next: m.last, name: String(m.arena, name), small: int8(n), any: &[]int{n}, list: Append(m.arena, nil, &[]int{n}[0], nil)}
	want := *p
	want.name = name
	m.last = p
	m.live = append(m.live, func() error {
		if !reflect.DeepEqual((*p).any, &[]int{n}) || p.name != name || *p.list[0] != n || p.next != want.next || p.small != int8(n) {
			return fmt.Errorf("value %d reads %+v", n, *p)
		}
		return nil
	})
}

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"New":        func(t *rapid.T) { m.fill(t, New[mixed](m.arena)) },
		"Slab":       func(t *rapid.T) { m.fill(t, m.slab.New()) },
		"ReflectNew": func(t *rapid.T) { m.fill(t, ReflectNew(m.arena, reflect.TypeFor[mixed]()).Interface().(*mixed)) },
		"many": func(t *rapid.T) {
			for range rapid.IntRange(1, 3000).Draw(t, "count") {
				if p := New[[3]uint16](m.arena); *p != ([3]uint16{}) {
					t.Fatal("not zero")
				} else {
					p[2] = 9
				}
				m.slab.New().small = 7
			}
		},
		"MakeSlice": func(t *rapid.T) {
			n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 100_000)).Draw(t, "cap")
			s := MakeSlice[[]int32](m.arena, n/2, n)
			numbers := MakeSlice[uint16](m.arena, n, n)
			for i := range numbers {
				if numbers[i] != 0 {
					t.Fatal("not zero")
				}
				numbers[i] = uint16(i)
			}
			for i := range s[:cap(s)] {
				if s[:cap(s)][i] != nil {
					t.Fatal("not zero")
				}
			}
			m.live = append(m.live, func() error {
				if len(s) != n/2 || cap(s) != n || len(numbers) > 0 && numbers[n-1] != uint16(n-1) {
					return fmt.Errorf("slice of %d has changed", n)
				}
				return nil
			})
		},
		"bytes": func(t *rapid.T) {
			want := rapid.StringN(0, -1, 5000).Draw(t, "s")
			parts := []string{want, "|", want}
			got := [...]string{String(m.arena, want), string(Bytes(m.arena, []byte(want)))}
			joined := Concat(m.arena, parts...)
			m.live = append(m.live, func() error {
				if got[0] != want || got[1] != want || joined != strings.Join(parts, "") {
					return fmt.Errorf("string %q has changed", want)
				}
				return nil
			})
		},
		"Append": func(t *rapid.T) {
			values := rapid.SliceOfN(rapid.Int(), 0, 200).Draw(t, "values")
			m.ints, m.want = Append(m.arena, m.ints, values...), append(m.want, values...)
		},
		"Set": func(t *rapid.T) {
			if m.table == nil {
				m.table, m.model = NewMap[string, *mixed](m.arena, rapid.IntRange(0, 50).Draw(t, "size")), map[string]*mixed{}
			}
			k := fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "key"))
			v := &mixed{name: k}
			m.table.Set(String(m.arena, k), v)
			m.model[k] = v
		},
		"Set integer": func(t *rapid.T) {
			if m.ids == nil {
				m.ids, m.known = NewMap[int16, [3]int32](m.arena, 0), map[int16][3]int32{}
			}
			first := rapid.Int16().Draw(t, "key")
			for i := range int16(rapid.IntRange(1, 200).Draw(t, "keys")) {
				k := first + i*97
				m.ids.Set(k, [3]int32{int32(k)})
				m.known[k] = [3]int32{int32(k)}
			}
		},
		"Delete integers": func(t *rapid.T) {
			low := rapid.Int16().Draw(t, "from")
			for k := range m.known {
				if k >= low {
					m.ids.Delete(k)
					delete(m.known, k)
				}
			}
		},
		"scratch": func(t *rapid.T) {
			at := m.arena.Mark()
			for range 2 {
				m.slab.MakeSlice(3, 3)
				String(m.arena, "scratch")
				New[int](m.arena)
				m.arena.ResetTo(at)
			}
		},
		"Delete": func(t *rapid.T) {
			k := fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "key"))
			m.table.Delete(k)
			delete(m.model, k)
		},
		"Clear": func(*rapid.T) { m.table.Clear(); clear(m.model) },
		"Promote": func(t *rapid.T) {
			copied := Promote(m.last)
			if m.last != nil && copied.name != m.last.name {
				t.Fatalf("promoted %q, want %q", copied.name, m.last.name)
			}
		},
		"Mark": func(*rapid.T) { m.marks = append(m.marks, moment{m.arena.Mark(), len(m.live)}) },
		"ResetTo": func(t *rapid.T) {
			if len(m.marks) == 0 {
				t.Skip("no mark")
			}
			i := rapid.IntRange(0, len(m.marks)-1).Draw(t, "mark")
			to := m.marks[i]
			m.arena.ResetTo(to.at)
			live, marks := m.live[:to.live], m.marks[:i+1]
			m.forget()
			m.live, m.marks = live, marks
		},
		"Reset": func(*rapid.T) { m.arena.Reset(); m.forget() },
		"Trim":  func(*rapid.T) { m.arena.Trim() },
		"Free":  func(*rapid.T) { m.arena.Free(); m.start(m.pool.Get()) },
		"drop":  func(*rapid.T) { m.start(m.pool.Get()) },
		"GC":    func(*rapid.T) { runtime.GC() },
		"":      m.check,
	}
}

func (m *machine) check(t *rapid.T) {
	for _, check := range m.live {
		if err := check(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(m.ints, m.want) {
		t.Fatalf("Append: %v, want %v", m.ints, m.want)
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
	}
	s := m.arena.Stats()
	var sum int64
	for _, typ := range s.Types {
		sum += typ.Bytes
	}
	if sum != s.Bytes || s.Peak < s.Bytes || !plainHeap && s.Retained < s.Bytes {
		t.Fatalf("Stats do not add up: %+v", s)
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { t.Repeat(newMachine(t).actions()) })
}

// TestPropertiesUnderGC runs TestProperties where the collector checks its own
// marking and overwrites what it frees.
func TestPropertiesUnderGC(t *testing.T) {
	if testing.Short() || !reuse {
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
