package rules

import (
	"strings"
	"testing"
)

const validators = `package main

import (
	"reflect"
	"strings"
	"sync"
)

func check(v any) (all []string) {
	t := reflect.TypeOf(v)
	for i := range t.NumField() {
		all = append(all, parse(t.Field(i).Tag.Get("check"))...)
	}
	return all
}

func parse(tag string) []string { return strings.Split(tag, ",") }

var plans sync.Map

func planned(v any) (all []string) {
	t := reflect.TypeOf(v)
	if p, ok := plans.Load(t); ok {
		return p.([]string)
	}
	for i := range t.NumField() {
		all = append(all, parse(t.Field(i).Tag.Get("check"))...)
	}
	plans.Store(t, all)
	return all
}

func main() {}
`

// A walk over the fields of a type is needed once for each type, and not for each value,
// unless the results for types are kept already.
func TestWorkForEachType(t *testing.T) {
	for function, want := range map[string]bool{"check": true, "planned": false} {
		t.Run(function, func(t *testing.T) {
			s := newScene(t, validators)
			s.churn("strings.genSplit", s.frame("parse", "strings.Split(tag")+s.frame(function, map[bool]string{true: "all = append(all, parse", false: "all = append(all, parse(t.Field(i).Tag.Get(\"check\"))...)\n\t}\n\tplans"}[want]))
			f := s.wants("library-garbage", "strings.Split(tag")
			if strings.HasPrefix(f.Remedy, "main."+function+" reads the fields and tags of a type for "+
				"each value (main.go:") != want {
				t.Error(f.Remedy)
			}
		})
	}
}
