package arena

import (
	"reflect"
	"testing"
)

func TestAppend(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			var ints []int
			var ptrs []*int
			var want []int
			for i := range 3000 {
				ints = Append(a, ints, i, -i)
				ptrs = Append(a, ptrs, &[]int{i}[0], nil)
				want = append(want, i, -i)
			}
			if !reflect.DeepEqual(ints, want) {
				t.Error("Append lost values")
			}
			for i := range 3000 {
				if *ptrs[2*i] != i || ptrs[2*i+1] != nil {
					t.Fatalf("pointer %d is wrong", i)
				}
			}
			for _, v := range ints[len(ints):cap(ints)] {
				if v != 0 {
					t.Fatal("the room behind the slice is not zero")
				}
			}
			if got := Append(a, nil, struct{}{}, struct{}{}); len(got) != 2 {
				t.Error("values of size zero")
			}
			if Append[int](a, nil) != nil {
				t.Error("nothing appended to nil is not nil")
			}
		})
	}
}
