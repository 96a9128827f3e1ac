//go:build !goexperiment.jsonv2

package arenajson

import (
	"reflect"
	"slices"
)

// unnamedMethods is whether the methods of a type without a name count where no
// pointer leads to it.
const unnamedMethods = false

// precedence orders fields whose names differ in case alone.
func precedence(x, y structField) int { return slices.Compare(x.index, y.index) }

// unusual reports whether encoding/json/v2 reads a tag in another way.
func unusual(reflect.StructField, structField) bool { return false }

// streams reports whether values of a type can hold values with UnmarshalJSONFrom.
func streams(reflect.Type, map[reflect.Type]bool) bool { return false }
