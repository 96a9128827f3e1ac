package arenajson

import (
	"reflect"
	"strings"
)

// Promote returns a deep copy of a decoded value on the heap, which may be kept when the
// arena of v is freed. Unlike [arena.Promote], it also copies values on the heap: a
// string no longer keeps the block of its input alive. [arena.Clone] copies one level
// only. A value that two pointers share is copied twice. v must have no cycles;
// Unmarshal makes none. Values behind unexported fields are shared with v. Several
// goroutines may promote a value at once.
func Promote[T any](v T) T {
	c := v
	own(reflect.ValueOf(&c).Elem())
	return c
}

// own replaces all values that v refers to by copies.
func own(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
				own(v.Field(i))
			}
		}
		return
	case reflect.Array:
		for i := range v.Len() {
			own(v.Index(i))
		}
		return
	}
	if !v.CanSet() || v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Clone(v.String()))
	case reflect.Pointer:
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(v.Elem())
		own(c.Elem())
		v.Set(c.Convert(v.Type()))
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for i := 0; i < c.Len() && c.Type().Elem().Kind() > reflect.Complex128; i++ { // numbers refer to nothing
			own(c.Index(i))
		}
		v.Set(c)
	case reflect.Interface:
		v.Set(owned(v.Elem()))
	case reflect.Map:
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for k, e := range v.Seq2() {
			c.SetMapIndex(owned(k), owned(e))
		}
		v.Set(c)
	}
}

// owned returns a copy of a value that cannot be changed in place.
func owned(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	own(c)
	return c
}
