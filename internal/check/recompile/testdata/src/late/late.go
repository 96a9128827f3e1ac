// Package late has a variable that a function of the package makes, without running any
// function that it is given.
package late

import "regexp"

type cache struct{ load func(string) string }

var shared = newCache()

func newCache() *cache { return &cache{load: func(s string) string { return text(s).String() }} }

type text string

func (t text) String() string {
	return regexp.MustCompile("a").ReplaceAllString(string(t), "") // want `constant pattern`
}

func use() string { return shared.load("a") }
