//go:build arenadebug

package arena

import (
	"bytes"
	"reflect"
	"sync"
	"unsafe"
)

const (
	poisonByte = 0xdb

	// poisonTile is about how much poison is compared at once.
	poisonTile = 4 << 10
)

var poisons sync.Map // *elem → []byte

// poisonOf returns poison for some values of a type.
func poisonOf(e *elem) []byte {
	if p, ok := poisons.Load(e); ok {
		return p.([]byte)
	}
	var tile []byte
	if !e.anyBits {
		n := max(1, poisonTile/int(e.size))
		values := reflect.MakeSlice(reflect.SliceOf(e.typ), n, n) // typed: the tile may hold pointers
		poison(values.Index(0))
		spread(values)
		tile = unsafe.Slice((*byte)(values.UnsafePointer()), uintptr(n)*e.size)
	} else {
		tile = bytes.Repeat([]byte{poisonByte}, poisonTile)
	}
	poisons.Store(e, tile)
	return tile
}

// poisonAll fills n bytes of freed memory.
func poisonAll(e *elem, p unsafe.Pointer, n uintptr) {
	if e.pointers {
		values := reflect.SliceAt(e.typ, p, int(n/e.size))
		poison(values.Index(0))
		spread(values)
		return
	}
	for b := unsafe.Slice((*byte)(p), n); len(b) > 0; {
		b = b[copy(b, poisonOf(e)):]
	}
}

// spread copies the first value to all others.
func spread(values reflect.Value) {
	for n := 1; n < values.Len(); n *= 2 {
		reflect.Copy(values.Slice(n, values.Len()), values.Slice(0, n))
	}
}

// poison fills numbers with poisonByte and strings with a hint; bools become
// true, as other bits are none, and pointers nil, so that their use is noticed
// at once.
func poison(v reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // unexported fields too
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.String:
		v.SetString("arena: use of freed memory")
	case reflect.Bool:
		v.SetBool(true)
	default:
		if hasPointers(v.Type()) {
			v.SetZero()
			return
		}
		b := unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
		for i := range b {
			b[i] = poisonByte
		}
	}
}
