package arena

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestSlabsOfOtherTypesAreNotConvertible checks conversions as the compiler does: one
// would put pointers where the collector does not look.
func TestSlabsOfOtherTypesAreNotConvertible(t *testing.T) {
	slabs := []reflect.Type{
		reflect.TypeFor[Slab[uintptr]](), reflect.TypeFor[Slab[*int]](), reflect.TypeFor[Slab[unsafe.Pointer]](),
		reflect.TypeFor[Slab[node]](), reflect.TypeFor[Slab[struct{ p *int }]](), reflect.TypeFor[Slab[[3]uintptr]](),
	}
	for _, from := range slabs {
		for _, to := range slabs {
			if from != to && (from.ConvertibleTo(to) || reflect.PointerTo(from).ConvertibleTo(reflect.PointerTo(to))) {
				t.Errorf("a %v can be converted to a %v", from, to)
			}
		}
	}
}

// TestSlabIsASlab compares the fields by way of which one is used as the other.
func TestSlabIsASlab(t *testing.T) {
	typed, untyped := reflect.TypeFor[Slab[node]](), reflect.TypeFor[slab]()
	if typed.Size() != untyped.Size() || typed.Align() != untyped.Align() {
		t.Errorf("%d bytes aligned to %d are used as %d aligned to %d", typed.Size(), typed.Align(), untyped.Size(), untyped.Align())
	}
	for _, name := range []string{"base", "left", "slabRest"} {
		x, _ := typed.FieldByName(name)
		y, ok := untyped.FieldByName(name)
		if !ok || x.Type != y.Type || x.Offset != y.Offset {
			t.Errorf("%s is %v at %d and %v at %d", name, x.Type, x.Offset, y.Type, y.Offset)
		}
	}
}
