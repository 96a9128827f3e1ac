package arenajson

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// TestInvalidTargets has the errors of json.Unmarshal, with and without an arena.
func TestInvalidTargets(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	var null *texts
	for _, target := range []any{nil, null, texts{}, 1, "text", map[string]int{}, []int(nil), func() {}} {
		want := json.Unmarshal([]byte("{}"), target)
		for _, a := range []*arena.Arena{nil, a} {
			if err := Unmarshal(a, []byte("{}"), target); !reflect.DeepEqual(err, want) || err == nil {
				t.Errorf("%T: %v, want %v", target, err, want)
			}
		}
	}
}

func TestFreedArena(t *testing.T) {
	a := arena.NewArena()
	a.Free()
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "freed") {
			t.Errorf("recovered %q", r)
		}
	}()
	Unmarshal(a, []byte("{}"), new(texts))
}

// TestErrorsUndoEverything decodes into targets that are not zero: a syntax error
// leaves them alone, and every error leaves the arena usable.
func TestErrorsUndoEverything(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	for _, in := range []string{`{"I":1,"B":true,`, `{"I":1,"I32":7,"B":true} x`, `{"I":1,"U":"x"`} {
		v := numbers{I: 5, N: "7"}
		var syntax *json.SyntaxError
		if err := (UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, []byte(in), &v); !errors.As(err, &syntax) || !reflect.DeepEqual(v, numbers{I: 5, N: "7"}) {
			t.Errorf("%s: %+v, %v", in, v, err)
		}
	}
	for _, in := range inputs {
		same(t, a, []byte(in), &numbers{I: 5, N: "7"})
		pointed := 3
		same(t, a, []byte(in), &embeds{Shared2: "s", Nones: make([]struct{}, 1)})
		v := struct{ I *int }{&pointed} // both decode into the same int
		same(t, a, []byte(in), &v)
	}
}

// A nest decodes its content into the same arena, or panics.
type nest struct{ inner texts }

var nestArena *arena.Arena

func (n *nest) UnmarshalJSON(data []byte) error {
	if string(data) == `"panic"` {
		panic("as asked")
	}
	return UnmarshalOptions{Text: arena.TextArena}.Unmarshal(nestArena, data, &n.inner)
}

func TestUnmarshalerUsesTheArena(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	nestArena = a
	var v struct {
		Before, After string
		Nests         []nest
		More          []int
	}
	in := []byte(`{"Before":"b\n","Nests":[{"S":"x\ty","List":["1","2"]},{"S":"z"}],"After":"a","More":[1,2,3]}`)
	for range 2 {
		func() {
			defer func() { recover() }()
			UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, []byte(`{"Nests":["panic"]}`), &v)
		}()
		v.Nests, v.More = nil, nil
		if err := (UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, in, &v); err != nil {
			t.Fatal(err)
		}
		if v.Before != "b\n" || v.After != "a" || len(v.Nests) != 2 || v.Nests[0].inner.S != "x\ty" || v.Nests[1].inner.S != "z" || len(v.More) != 3 {
			t.Errorf("%+v", v)
		}
	}
}

// TestDepth nests as deep as encoding/json allows, and deeper.
func TestDepth(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	for _, n := range []int{maxDepth/2 - 1, maxDepth/2 + 1, 100 * maxDepth} {
		same(t, a, []byte(strings.Repeat(`{"Next":`, n)+"null"+strings.Repeat("}", n)), new(tree))
		same(t, a, []byte(strings.Repeat(`[`, n)+strings.Repeat("]", n)), new(tree))
		same(t, a, []byte(`{"unknown":`+strings.Repeat(`[`, 2*n)+strings.Repeat("]", 2*n)+"}"), new(tree))
		same(t, a, []byte(strings.Repeat(`[`, n)), new(tree))
	}
	for n := maxDepth - 1; n <= maxDepth+1; n++ {
		same(t, a, []byte(strings.Repeat(`[`, n)+strings.Repeat("]", n)), new(any))
	}
}

// TestKeptText keeps text beyond its arena, as it may without options.
func TestKeptText(t *testing.T) {
	a := arena.NewArena()
	var v texts
	in := []byte(inputs[14])
	if err := Unmarshal(a, in, &v); err != nil {
		t.Fatal(err)
	}
	clear(in)
	kept := []string{v.S, v.Long, v.K, string(v.Kind), v.Q}
	bytes := v.Bytes
	a.Reset()
	for range 100 {
		arena.String(a, strings.Repeat("x", 1000))
	}
	a.Free()
	var want texts
	if err := json.Unmarshal([]byte(inputs[14]), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(kept, []string{want.S, want.Long, want.K, string(want.Kind), want.Q}) || string(bytes) != "hello" {
		t.Errorf("kept %q and %q", kept, bytes)
	}
}
