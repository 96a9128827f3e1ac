package rules

import "testing"

const splits = `package main

import "strings"

func words(s string) int { return len(strings.Split(s, ",")) }

func main() {}
`

func TestLibraryGarbage(t *testing.T) {
	s := newScene(t, splits)
	s.churn("strings.genSplit@/go/src/s.go:1 strings.Split", s.frame("words", "strings.Split"))
	has(t, s.wants("library-garbage", "strings.Split").Example, "SplitSeq")
}

func TestLibraryGarbageOfHeaders(t *testing.T) {
	s := newScene(t, splits).without()
	s.churn("net/textproto.MIMEHeader.Set@/go/src/t.go:1 net/http.Header.Set", s.frame("words", "strings.Split"))
	has(t, s.wants("library-garbage", "strings.Split").Remedy, "assign a slice that is made once")
}
