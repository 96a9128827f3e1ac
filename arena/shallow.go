package arena

import (
	"reflect"
	"strings"
	"unsafe"
)

func containsString(s string) bool { return contains(unsafe.Pointer(unsafe.StringData(s))) }

// shallowCopy copies what the pointer, slice or string v refers to to the heap.
func shallowCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(v.Elem())
		return p.Convert(v.Type())
	case reflect.Slice:
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(s, v)
		return s
	}
	return reflect.ValueOf(strings.Clone(v.String())).Convert(v.Type())
}
