package arenajson

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

var (
	generatedInputs = flag.Int("inputs", 20000, "decode `N` inputs into generated types")
	generatedSeed   = flag.Uint64("seed", 1, "of the generated types and inputs")
)

// TestGeneratedTypes compares decoding into types whose fields have any order, depth,
// name and option.
func TestGeneratedTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(*generatedSeed, 5))
	const each = 50 // inputs for a type
	valid := 0
	for i := 0; i < *generatedInputs; i += each {
		g := newGenerator(r)
		typ := g.structure(1 + g.IntN(3))
		a := arena.NewArena()
		for range each {
			if same(t, a, []byte(g.value(typ, 6)), reflect.New(typ).Interface()) {
				valid++
			}
			a.Reset()
		}
		a.Free()
	}
	if valid < *generatedInputs/10 {
		t.Errorf("only %d inputs were valid", valid)
	}
	t.Logf("%d of %d inputs were valid", valid, *generatedInputs)
}

// TestDroppedField has a field that version 2 drops, because a method of its type can't
// be called, and another of the same name and depth.
func TestDroppedField(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	typ := reflect.StructOf([]reflect.StructField{
		{Name: "NamedMoment", Type: reflect.TypeFor[namedMoment](), Anonymous: true},
		{Name: "Other", Type: reflect.TypeFor[struct {
			A int `json:"A"`
		}](), Anonymous: true},
	})
	for _, in := range []string{`{"A":1}`, `{"a":1}`, `{"B":2}`} {
		same(t, a, []byte(in), reflect.New(typ).Interface())
	}
}
