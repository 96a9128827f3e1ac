// Package late has a variable that a function of the package makes, without running any
// function that it is given.
package late

import (
	"hash/crc32"
	"reflect"
	"regexp"
)

// Package reflect has all the methods of a Type, and bytes have none.
var (
	errorType = reflect.TypeOf((*error)(nil)).Elem()
	lists     = reflect.SliceOf(errorType).String()
	sum       = crc32.ChecksumIEEE([]byte("x"))
)

type cache struct{ load func(string) string }

var shared = newCache()

func newCache() *cache { return &cache{load: func(s string) string { return text(s).String() }} }

// A function that nobody calls before main.
var or = func(a, b interface{ Bool() bool }) bool { return a.Bool() || b.Bool() }

var size = func() int { return len("made at once") }()

type text string

func (t text) String() string {
	return regexp.MustCompile("a").ReplaceAllString(string(t), "") // want `constant pattern`
}

func use() string { return shared.load("a") }

type other string

func (o *other) String() string {
	return regexp.MustCompile("b").ReplaceAllString(string(*o), "") // want `constant pattern`
}

// No method leads here, so this function has its variable in any case.
func plain(s string) bool {
	return regexp.MustCompile("c").MatchString(s) // want `constant pattern`
}
