// Package early runs methods while its variables are initialized.
package early

import (
	"errors"
	"fmt"
	"regexp"
)

var errNone = errors.New("none")

type before string

// String runs after the pattern's variable is initialized: constants make no calls.
func (b before) String() string {
	return regexp.MustCompile("a").ReplaceAllString(string(b), "") // want `constant pattern`
}

// Go does not see that Sprint calls a method, and initializes first first.
var first = fmt.Sprint(before("ab"), after("ab"))

type after string

func (a after) String() string {
	return regexp.MustCompile("b").ReplaceAllString(string(a), "") // want `constant pattern`
}

// A call of a function by its name orders the variables.
func plain(s string) bool {
	return regexp.MustCompile("c").MatchString(s) // want `constant pattern`
}

func (a after) GoString() string { return cut(string(a)) }

func cut(s string) string { return drop(s) }

// A method leads here.
func drop(s string) string {
	return regexp.MustCompile("d").ReplaceAllString(s, "") // want `constant pattern`
}
