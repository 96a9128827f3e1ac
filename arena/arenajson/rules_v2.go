//go:build goexperiment.jsonv2

package arenajson

import (
	"cmp"
	"encoding/json"
	jsonv2 "encoding/json/v2"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Rules in which encoding/json differs from itself where encoding/json/v2 implements
// it: with GOEXPERIMENT=jsonv2, the default since Go 1.27. Sources are fields.go and
// arshal_methods.go of that package, with the options of json.DefaultOptionsV1.

// unnamedMethods is whether the methods of a type without a name count where no
// pointer leads to it.
const unnamedMethods = true

// precedence orders fields whose names differ in case alone.
func precedence(x, y structField) int {
	return cmp.Or(cmp.Compare(len(x.index), len(y.index)), slices.Compare(x.index, y.index))
}

// unusual reports whether a field has a tag that version 2 reads in another way, or
// that Go 1.26 and 1.27 read in different ways. Such structs are left to json.Unmarshal.
func unusual(sf reflect.StructField, f structField) bool {
	name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
	if f.tagged && !sf.IsExported() || !f.tagged && name != "" {
		return true
	}
	flattened := sf.Anonymous && !f.tagged && indirect(sf.Type).Kind() == reflect.Struct
	for _, option := range strings.Split(options, ",") {
		switch {
		case option == "inline" || option == "embed":
			if !flattened {
				return true
			}
		case option == "unknown", strings.ContainsFunc(option, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
		}):
			return true
		case option == "string" && !f.quoted && sf.Type.Kind() == reflect.Pointer:
			return true
		}
	}
	return false
}

// streams reports whether values of a type can hold values with UnmarshalJSONFrom.
// This method sees the decoder and its place in the whole input. json.Number's method
// does not use it.
func streams(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == reflect.TypeFor[json.Number]() {
		return false
	}
	seen[t] = true
	if reflect.PointerTo(t).Implements(reflect.TypeFor[jsonv2.UnmarshalerFrom]()) {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return streams(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if streams(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
