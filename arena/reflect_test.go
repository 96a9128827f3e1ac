package arena

import (
	"reflect"
	"testing"
)

func TestReflectNew(t *testing.T) {
	type unseen struct {
		p *int
		s string
	}
	a := NewArena()
	defer a.Free()
	for round := range 2 {
		for _, typ := range []reflect.Type{reflect.TypeFor[node](), reflect.TypeFor[unseen](), reflect.TypeFor[int32](), reflect.TypeFor[struct{}]()} {
			for range 1000 {
				v := ReflectNew(a, typ)
				if v.Type() != reflect.PointerTo(typ) || !v.Elem().IsZero() {
					t.Fatalf("round %d: %v", round, v)
				}
				if typ == reflect.TypeFor[unseen]() {
					*v.Interface().(*unseen) = unseen{new(int), "x"}
				}
			}
		}
		*New[unseen](a) = unseen{s: "static"}
		a.Reset()
	}
	if v := ReflectNew(nil, reflect.TypeFor[int]()); v.Elem().Int() != 0 {
		t.Error("nil arena")
	}
	mustPanic(t, "arena: ReflectNew of a nil type", func() { ReflectNew(a, nil) })
	mustPanic(t, "arena: ReflectNew of a nil type", func() { ReflectNew(nil, nil) })
}
