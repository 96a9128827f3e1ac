package arena

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A traced is a message like a span of OpenTelemetry, laid out as protobuf's
// compiler does it.
type traced struct {
	unknown    []byte
	trace, id  []byte
	parent     []byte
	state      string
	name       string
	kind       int32
	start, end uint64
	attributes []*attribute
	events     []*event
	status     *outcome
}

type attribute struct {
	unknown []byte
	key     string
	value   *anyOf
}

type anyOf struct {
	unknown []byte
	value   oneOf
}

type (
	oneOf    interface{ isOneOf() }
	stringOf struct{ value string }
	intOf    struct{ value int64 }
)

func (*stringOf) isOneOf() {}
func (*intOf) isOneOf()    {}

type event struct {
	unknown    []byte
	at         uint64
	name       string
	attributes []*attribute
}

type outcome struct {
	unknown []byte
	message string
	code    int32
}

// tracedIn returns span number i, all of it in a.
func tracedIn(a *Arena, i int) *traced {
	attributes := func(n int) []*attribute {
		all := MakeSlice[*attribute](a, n, n)
		for j := range all {
			kv, any := New[attribute](a), New[anyOf](a)
			kv.key, kv.value = String(a, fmt.Sprint("attribute.", j)), any
			if j%3 == 0 {
				n := New[intOf](a)
				n.value, any.value = int64(i), n
			} else {
				s := New[stringOf](a)
				s.value, any.value = String(a, fmt.Sprint("value ", i*j)), s
			}
			all[j] = kv
		}
		return all
	}
	s := New[traced](a)
	s.trace, s.id, s.parent = Bytes(a, make([]byte, 16)), Bytes(a, make([]byte, 8)), Bytes(a, make([]byte, 8))
	s.name, s.kind = String(a, fmt.Sprint("GET /path/", i)), int32(i%5)
	s.start, s.end = uint64(i), uint64(i+1)
	s.attributes = attributes(8)
	e := New[event](a)
	e.name, e.attributes = String(a, "exception"), attributes(2)
	s.events = Append(a, nil, e)
	s.status = New[outcome](a)
	s.status.message = String(a, "fine")
	return s
}

// copied is the deep copy that a programmer would write by hand.
func (s *traced) copied() *traced {
	attributes := func(from []*attribute) []*attribute {
		all := make([]*attribute, len(from))
		for i, kv := range from {
			value := &anyOf{unknown: slices.Clone(kv.value.unknown)}
			switch v := kv.value.value.(type) {
			case *stringOf:
				value.value = &stringOf{strings.Clone(v.value)}
			case *intOf:
				value.value = &intOf{v.value}
			}
			all[i] = &attribute{unknown: slices.Clone(kv.unknown), key: strings.Clone(kv.key), value: value}
		}
		return all
	}
	c := *s
	c.unknown, c.trace, c.id, c.parent = slices.Clone(s.unknown), slices.Clone(s.trace), slices.Clone(s.id), slices.Clone(s.parent)
	c.state, c.name = strings.Clone(s.state), strings.Clone(s.name)
	c.attributes, c.events = attributes(s.attributes), make([]*event, len(s.events))
	for i, e := range s.events {
		c.events[i] = &event{unknown: slices.Clone(e.unknown), at: e.at, name: strings.Clone(e.name), attributes: attributes(e.attributes)}
	}
	c.status = &outcome{unknown: slices.Clone(s.status.unknown), message: strings.Clone(s.status.message), code: s.status.code}
	return &c
}

// BenchmarkPromote copies 1,000 messages out of an arena.
func BenchmarkPromote(b *testing.B) {
	a := NewArena()
	defer a.Free()
	all := make([]*traced, 1000)
	for i := range all {
		all[i] = tracedIn(a, i)
	}
	to := make([]*traced, len(all))
	b.Run("each", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i, s := range all {
				to[i] = Promote(s)
			}
		}
	})
	b.Run("slice", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Promote(all)
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i, s := range all {
				to[i] = s.copied()
			}
		}
	})
}
