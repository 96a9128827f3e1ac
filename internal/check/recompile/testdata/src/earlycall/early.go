// Package earlycall runs a function value while its variables are initialized.
package earlycall

import "regexp"

type cache struct{ load func(string) string }

var filled = fill(&cache{})

func fill(c *cache) string {
	if c.load == nil {
		return ""
	}
	return c.load("a")
}

type text string

func (t text) String() string {
	return regexp.MustCompile("a").ReplaceAllString(string(t), "") // want `constant pattern`
}
