package rules

import "testing"

const prints = `package main

import "fmt"

func text(n int64) string {
	return fmt.Sprintf("%v", n) // prints
}

var kept []byte

func main() {
	kept = make([]byte, 100) // allocates
}
`

// A small number needs no memory, so nothing is found at its line. The check has a change.
func TestSmall(t *testing.T) {
	s := newScene(t, prints)
	s.churn("", s.frame("main", "// allocates"))
	s.cpu.CPU(1, "fmt.Sprintf@/go/src/fmt/print.go:1 "+s.frame("text", "// prints")+start)
	for _, f := range s.find() {
		if f.Function == "main.text" {
			t.Errorf("it found %v", f.Title)
		}
	}
	if len(s.small) != 1 || s.small[0].Check != "formatting" || s.small[0].CPU.High <= 0 {
		t.Fatalf("%+v", s.small)
	}
	has(t, s.small[0].Patch, "strconv.FormatInt(n, 10)")
}

// A line that no sample is in costs nothing.
func TestSmallElsewhere(t *testing.T) {
	s := newScene(t, prints)
	s.churn("", s.frame("main", "// allocates"))
	if s.find(); len(s.small) > 0 {
		t.Errorf("%+v", s.small)
	}
}

// A change that a finding has is no further one.
func TestSmallBesideFinding(t *testing.T) {
	s := newScene(t, compiles)
	s.churn("regexp.compile@/go/src/regexp/regexp.go:1 regexp.MustCompile", s.frame("isName", "MustCompile"))
	if found := s.find(); found[0].Patch == "" || len(s.small) > 0 {
		t.Errorf("%+v", s.small)
	}
}
