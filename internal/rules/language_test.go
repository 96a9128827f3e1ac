package rules

import (
	"strings"
	"testing"
)

// The words of a comment are no Go.
func TestCommentNeedsNoLanguage(t *testing.T) {
	s := newScene(t, handedOn)
	s.language = "1.17"
	s.churn("runtime.newobject", s.frame("keep", "last = &event{id}"))
	f := s.wants("short-lived", "last = &event{id}")
	if strings.Contains(f.Risk, "needs go") || !strings.Contains(f.Example, " any ") {
		t.Errorf("risk %q, example %q", f.Risk, f.Example)
	}
}

// An example says so if the module's go.mod is too old for it.
func TestExampleNeedsLanguage(t *testing.T) {
	const text = `package main

import "strings"

func count(s string) int { return len(strings.Split(s, ",")) }

func main() {}
`
	for language, want := range map[string]string{"1.16": " The example needs go 1.23 in go.mod, which has go 1.16.", "1.23": ""} {
		t.Run(language, func(t *testing.T) {
			s := newScene(t, text)
			s.language = language
			s.churn("strings.Split", s.frame("count", "strings.Split"))
			f := s.wants("library-garbage", "strings.Split")
			if _, got, _ := strings.Cut(f.Risk, "Low."); got != want || !strings.Contains(f.Example, "SplitSeq") {
				t.Errorf("risk %q, example %q", f.Risk, f.Example)
			}
		})
	}
}
