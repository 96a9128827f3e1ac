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
