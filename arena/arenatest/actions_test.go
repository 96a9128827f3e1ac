package arenatest

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"pgregory.net/rapid"

	. "github.com/heapwright/heapwright/arena"
)

// actions are all operations, by themselves and as they are used together.
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
		"Slab.MakeSlice": func(t *rapid.T) {
			n := rapid.IntRange(0, 300).Draw(t, "cap")
			s := m.slab.MakeSlice(n/2, n)
			if len(s) != n/2 || cap(s) != n {
				t.Fatalf("len %d cap %d, want half of %d and all", len(s), cap(s), n)
			}
			s = s[:n]
			for i := range s {
				if !reflect.ValueOf(s[i]).IsZero() {
					t.Fatalf("value %d is not zero: %+v", i, s[i])
				}
				s[i] = mixed{small: int8(i), next: &s[0]}
			}
			m.live = append(m.live, func() error {
				for i := range s {
					if s[i].small != int8(i) || s[i].next != &s[0] {
						return fmt.Errorf("value %d of a slice of %d reads %+v", i, n, s[i])
					}
				}
				return nil
			})
		},
		"nothing": func(t *rapid.T) {
			n := rapid.IntRange(0, 1<<20).Draw(t, "n")
			p, s := New[struct{}](m.arena), MakeSlice[[0]*int](m.arena, n, n)
			if more := Append(m.arena, s, [0]*int{}); p == nil || NewSlab[struct{}](m.arena).New() == nil || len(s) != n || len(more) != n+1 {
				t.Fatalf("of values without size there are %d and %d, want %d and one more", len(s), len(more), n)
			}
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
				for k, v := range m.known { // a map that does not grow outlives this
					v[1]++
					*m.ids.At(k), m.known[k] = v, v
				}
				m.arena.ResetTo(at)
			}
		},
		"Delete": func(t *rapid.T) {
			k := fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "key"))
			m.table.Delete(k)
			delete(m.model, k)
		},
		"Clear": func(*rapid.T) { m.table.Clear(); clear(m.model) },
		"At": func(t *rapid.T) {
			k := fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "key"))
			at := m.table.At(k)
			if want := m.model[k]; want == nil && at != nil || want != nil && (at == nil || *at != want) {
				t.Fatalf("At(%q) = %v, want a pointer to %v", k, at, want)
			}
			if at != nil {
				*at = &mixed{name: "by At"}
				m.model[k] = *at
			}
		},
		"Buffer": func(t *rapid.T) {
			if m.buffer == nil {
				m.buffer = NewBuffer(m.arena, rapid.IntRange(0, 100).Draw(t, "size"))
			}
			p := rapid.SliceOfN(rapid.Byte(), 0, 500).Draw(t, "bytes")
			switch rapid.IntRange(0, 3).Draw(t, "way") {
			case 0:
				m.buffer.Write(p)
			case 1:
				m.buffer.WriteString(string(p))
			case 2:
				for _, c := range p {
					m.buffer.WriteByte(c)
				}
			case 3:
				if n, err := m.buffer.ReadFrom(bytes.NewReader(p)); n != int64(len(p)) || err != nil {
					t.Fatalf("ReadFrom: %d, %v", n, err)
				}
			}
			m.text = append(m.text, p...)
		},
		"AlignedBytes": func(t *rapid.T) {
			n, align := rapid.IntRange(0, 10_000).Draw(t, "n"), 1<<rapid.IntRange(0, 12).Draw(t, "align")
			b := AlignedBytes(m.arena, n, align)
			if len(b) != n || cap(b) != n || bytes.Count(b, []byte{0}) != n {
				t.Fatalf("%d bytes of %d, with room for %d, are zero", bytes.Count(b, []byte{0}), len(b), cap(b))
			}
			if n > 0 && uintptr(unsafe.Pointer(&b[0]))%uintptr(align) != 0 {
				t.Fatalf("not aligned to %d", align)
			}
			fill := byte(n%255 + 1)
			for i := range b {
				b[i] = fill
			}
			m.live = append(m.live, func() error {
				if bytes.Count(b, []byte{fill}) != n {
					return fmt.Errorf("%d bytes aligned to %d have changed", n, align)
				}
				return nil
			})
		},
		"Clone": func(t *rapid.T) {
			n := rapid.Int().Draw(t, "n")
			at := New[int](m.arena)
			*at = n
			number, ints, text := Clone(at), Clone(Append(m.arena, nil, n, n)), Clone(String(m.arena, fmt.Sprint(n)))
			m.kept = append(m.kept, func() error {
				if *number != n || !slices.Equal(ints, []int{n, n}) || text != fmt.Sprint(n) {
					return fmt.Errorf("clones of %d read %d, %v and %q", n, *number, ints, text)
				}
				return nil
			})
			if m.last == nil {
				return
			}
			shallow, f := Clone(m.last), m.chain[len(m.chain)-1]
			m.live = append(m.live, func() error {
				if !f.in(shallow) {
					return fmt.Errorf("the clone of value %d reads %+v", f.n, *shallow)
				}
				return nil
			})
		},
		"Promote": func(*rapid.T) {
			first, chain := Promote(m.last), slices.Clone(m.chain)
			m.kept = append(m.kept, func() error {
				p := first
				for _, f := range slices.Backward(chain) {
					if p == nil || !f.in(p) {
						return fmt.Errorf("promoted value %d reads %+v", f.n, p)
					}
					p = p.next
				}
				if p != nil {
					return fmt.Errorf("a promoted chain of %d goes on with %+v", len(chain), *p)
				}
				return nil
			})
		},
		"Promote containers": func(t *rapid.T) {
			table, ids, model, known := Promote(m.table), Promote(m.ids), maps.Clone(m.model), maps.Clone(m.known)
			buffer, text := Promote(m.buffer), slices.Clone(m.text)
			check := func() error {
				if !maps.Equal(maps.Collect(table.All()), model) || !maps.Equal(maps.Collect(ids.All()), known) {
					return fmt.Errorf("promoted maps: %v and %v, want %v and %v", table, ids, model, known)
				}
				for k, v := range known {
					if got, _ := ids.Get(k); got != v {
						return fmt.Errorf("key %d of a promoted map has value %v, not %v", k, got, v)
					}
				}
				if buffer != nil && buffer.String() != string(text) {
					return fmt.Errorf("a promoted buffer has %q, not %q", buffer, text)
				}
				return nil
			}
			if Backend == "heap" || m.arena == nil {
				if err := check(); err != nil { // no copies: the containers still change
					t.Fatal(err)
				}
				return
			}
			if ids != nil {
				ids.Set(7, [3]int32{8})
				known[7] = [3]int32{8}
			}
			if buffer != nil {
				buffer.WriteString("!")
				text = append(text, '!')
			}
			m.kept = append(m.kept, check)
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
		"Reset": func(t *rapid.T) {
			m.arena.Reset()
			m.forget()
			if kept := m.arena.Stats().Retained; kept > m.bound {
				t.Fatalf("keeps %d bytes, its bound is %d", kept, m.bound)
			}
		},
		"Retain": func(t *rapid.T) {
			m.bound = rapid.SampledFrom([]int64{-1, 0, 10_000, 1 << 20}).Draw(t, "bytes")
			m.arena.Retain(m.bound)
			switch {
			case m.bound == 0:
				m.bound = DefaultRetain
			case m.bound < 0:
				m.bound = 0
			}
		},
		"Trim": func(*rapid.T) { m.arena.Trim() },
		"Free": func(*rapid.T) { m.arena.Free(); m.start(m.pool.Get()) },
		"drop": func(*rapid.T) { m.start(m.pool.Get()) },
		"GC":   func(*rapid.T) { runtime.GC() },
		"":     m.check,
	}
}
