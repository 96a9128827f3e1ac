package arena

import (
	"reflect"
	"testing"
	"unsafe"
)

func TestStats(t *testing.T) {
	a := new(Pool).Get()
	defer a.Free()
	for range 100 {
		New[node](a)
	}
	MakeSlice[uint16](a, 10, 50)
	String(a, "hello")
	s := a.Stats()
	size := int64(unsafe.Sizeof(node{}))
	if s.Bytes != 100*size+100+5 || s.Objects != 100+50 || s.Peak != s.Bytes {
		t.Errorf("%+v", s)
	}
	if !plainHeap && s.Retained < s.Bytes {
		t.Errorf("retains %d bytes, has handed out %d", s.Retained, s.Bytes)
	}
	if len(s.Types) != 3 || s.Types[0] != (TypeStats{reflect.TypeFor[node](), 100 * size, 100, s.Types[0].Retained}) {
		t.Errorf("by type: %+v", s.Types)
	}
	a.Reset()
	if after := a.Stats(); after.Bytes != 0 || after.Objects != 0 || after.Peak != s.Peak {
		t.Errorf("after Reset: %+v", after)
	}
	if (*Arena)(nil).Stats().Bytes != 0 {
		t.Error("nil arena")
	}
}
