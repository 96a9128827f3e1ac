//go:build !race && !asan && !arenadebug && !heaparena && !goarena

package arenajson

import (
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// TestAllocations decodes values that need no memory from the heap.
func TestAllocations(t *testing.T) {
	in := []byte(`{"S":"x","P":"p","Bytes":"aGVsbG8=","Raw":[1],"List":["a","\n"],"Small":[1,2]}`)
	a := arena.NewArena()
	defer a.Free()
	var v texts
	n := testing.AllocsPerRun(100, func() {
		v = texts{}
		if err := (UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, in, &v); err != nil {
			t.Fatal(err)
		}
		a.Reset()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
