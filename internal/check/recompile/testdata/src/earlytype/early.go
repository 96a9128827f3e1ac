// Package earlytype hands a function to a type, which runs it while a variable is initialized.
package earlytype

import (
	"reflect"
	"regexp"
)

type row struct{ A, B text }

var field, _ = reflect.TypeOf(row{}).FieldByNameFunc(func(name string) bool { return text(name).String() == "A" })

type text string

func (t text) String() string {
	return regexp.MustCompile("a").ReplaceAllString(string(t), "") // want `constant pattern`
}

func plain(s string) bool {
	return regexp.MustCompile("c").MatchString(s) // want `constant pattern`
}
