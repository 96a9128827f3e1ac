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

// A report names the first eight uses of a value, of which Close is not one.
const compresses = `package main

import (
	"compress/gzip"
	"fmt"
	"io"
)

func send(w io.Writer, n int) error {
	zw := gzip.NewWriter(w)
	if _, err := zw.Write([]byte("text")); err != nil {
		return err
	}
	fmt.Fprintln(zw, fmt.Sprint("and ", n))
	zw.Flush()
	zw.Flush()
	zw.Flush()
	zw.Flush()
	zw.Flush()
	zw.Flush()
	zw.Flush()
	return zw.Close()
}

func main() {}
`

// A fix stands where the value is made, but the memory is allocated where it is used.
func TestPatchAtAnotherLineOfTheValue(t *testing.T) {
	for _, at := range []string{"zw.Write(", "zw.Close("} {
		t.Run(at, func(t *testing.T) {
			s := newScene(t, compresses)
			s.churn("compress/gzip.(*Writer).Write", s.frame("send", at))
			f := s.find()[0]
			if f.Rule != "encoder" || f.Check != "encoder" {
				t.Errorf("fix of %q for %q", f.Check, f.Rule)
			}
			has(t, f.Patch, "sync.Pool")
		})
	}
}

// A line that uses the value may have another fault.
func TestNoPatchOfAnotherFault(t *testing.T) {
	s := newScene(t, compresses)
	s.churn("fmt.Sprint", s.frame("send", "fmt.Sprint("))
	if f := s.find()[0]; f.Rule != "formatting" || f.Check == "encoder" {
		t.Errorf("fix of %q for %q", f.Check, f.Rule)
	}
}

// A string that grows at several lines of a loop has one report, at the first of them.
func TestPatchAtAnotherLineOfTheLoop(t *testing.T) {
	s := newScene(t, `package main

func upper(text string) string {
	all := ""
	for _, r := range text {
		if r >= 'a' {
			all += string(r - 32) // first
		} else {
			all += string(r) // second
		}
	}
	return all
}

func main() {}
`)
	s.churn("runtime.concatstrings", s.frame("upper", "// second"))
	f := s.find()[0]
	if f.Rule != "string-concatenation" || f.Check != "stringconcatenation" {
		t.Errorf("fix of %q for %q", f.Check, f.Rule)
	}
	has(t, f.Patch, "strings.Builder")
}
