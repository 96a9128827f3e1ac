//go:build goexperiment.jsonv2

package arenajson

import (
	"encoding/json/jsontext"
	"go/build"
	"reflect"
	"slices"
)

// A streamed is decoded by the method that version 2 added, which notes where it is.
type streamed struct{ Given, At string }

func (s *streamed) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	s.Given, s.At = string(v), string(d.StackPointer())
	return err
}

var leavesOfVersion = versionLeaves()

func versionLeaves() []reflect.Type {
	all := []reflect.Type{reflect.TypeFor[streamed](), reflect.TypeFor[struct{ streamed }]()}
	// Go 1.26 decodes an array into a slice of functions for ever.
	if slices.Contains(build.Default.ReleaseTags, "go1.27") {
		all = append(all, reflect.TypeFor[func()]())
	}
	return all
}
