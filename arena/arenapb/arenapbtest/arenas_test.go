package arenapbtest

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// pair returns two messages of the same structure, encoded.
func pair(t *testing.T) (first, second []byte) {
	var both [2][]byte
	for i := range both {
		list, err := structpb.NewList([]any{fmt.Sprint("a text ", i), []any{fmt.Sprint("another ", i), float64(i)}})
		if err != nil {
			t.Fatal(err)
		}
		if both[i], err = proto.Marshal(list); err != nil {
			t.Fatal(err)
		}
	}
	return both[0], both[1]
}

// A message that was decoded into one arena, then into another, refers to the second
// one alone, wherever the message itself lies.
func TestMessageOfAnotherArena(t *testing.T) {
	first, second := pair(t)
	want := new(structpb.ListValue)
	if err := proto.Unmarshal(second, want); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"heap", "third arena", "second arena"} {
		var pool arena.Pool
		a, b, c := pool.Get(), pool.Get(), pool.Get()
		m := map[string]*structpb.ListValue{
			"heap": new(structpb.ListValue), "third arena": arena.New[structpb.ListValue](c), "second arena": arena.New[structpb.ListValue](b),
		}[place]
		if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, first, m); err != nil {
			t.Error(err)
		}
		if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(b, second, m); err != nil {
			t.Error(err)
		}
		a.Free()
		for range 10 { // another user of the memory
			d := pool.Get()
			arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(d, first, new(structpb.ListValue))
			d.Free()
		}
		if !proto.Equal(m, want) {
			t.Errorf("in the %s: got %v, want %v", place, m, want)
		}
		b.Free()
		c.Free()
	}
}

// A freed arena panics before the message is touched, even if another arena uses its
// memory now.
func TestFreedArenaLeavesTheMessage(t *testing.T) {
	first, second := pair(t)
	var pool arena.Pool
	m, other := new(structpb.ListValue), new(structpb.ListValue)
	freed, live := pool.Get(), pool.Get()
	defer live.Free()
	if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(live, first, m); err != nil {
		t.Fatal(err)
	}
	if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(freed, first, other); err != nil { // the type is known to the arena
		t.Fatal(err)
	}
	freed.Free()
	next := pool.Get()
	defer next.Free()
	before := arenapb.Promote(m)
	for _, data := range [][]byte{nil, second} {
		for _, text := range texts {
			func() {
				defer func() {
					if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "arena that has been freed") {
						t.Errorf("got the panic %v", r)
					}
				}()
				arenapb.UnmarshalOptions{Text: text}.Unmarshal(freed, data, m)
			}()
		}
	}
	if !proto.Equal(m, before) {
		t.Errorf("got %v, want %v", m, before)
	}
	if s := next.Stats(); s.Bytes != 0 {
		t.Errorf("the next arena holds %d bytes", s.Bytes)
	}
}
