package rules

import "testing"

// The line of a module beside the one at hand says more than one of package io.
func TestSiteBesideTheModule(t *testing.T) {
	s := newScene(t, "package main\n\nfunc main() {}\n")
	s.churn("", "io.ReadAll@/opt/go/src/io/io.go:7 example.org/beside.Load@/src/beside/load.go:3 ")
	lines := 0
	for _, f := range s.find() {
		if f.File == "/src/beside/load.go" && f.Line == 3 {
			lines++
		} else if f.File != "" {
			t.Errorf("found %s", describe(f))
		}
	}
	if lines != 1 {
		t.Errorf("%d findings at the line", lines)
	}
}
