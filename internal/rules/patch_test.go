package rules

import "testing"

const compiles = `package main

import "regexp"

func isName(s string) bool {
	return regexp.MustCompile("^[a-z]+$").MatchString(s)
}

func main() {}
`

// A finding shows the fix of a check of another name, too.
func TestPatchOfAnotherCheck(t *testing.T) {
	s := newScene(t, compiles)
	s.churn("regexp.compile@/go/src/regexp/regexp.go:1 regexp.MustCompile", s.frame("isName", "MustCompile"))
	f := s.find()[0]
	if f.Check != "recompile" || f.Rule == "recompile" {
		t.Errorf("fix of %q for %q", f.Check, f.Rule)
	}
	has(t, f.Patch, `+var isNameRegexp = regexp.MustCompile("^[a-z]+$")`)
	if f.Example == "" {
		t.Error("no example")
	}
}
