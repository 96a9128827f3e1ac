package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

// Test code ranks below the program's, whatever it could save; a line that calls
// a dependency is there for the dependency.
func TestFindingsOfTestCodeRankLast(t *testing.T) {
	made := func(file string, high float64) finding.Finding {
		f := finding.Finding{Rule: file, File: file, Line: 1}
		f.CPU.High = high
		return f
	}
	outside := made("outside_test.go", 0.3)
	outside.Library = []finding.LibraryLine{{Share: 1}}
	all := []finding.Finding{made("x_test.go", 0.9), made("x.go", 0.1), made("", 0.2), outside}
	finding.Rank(all)
	got := ""
	for _, f := range all {
		got += f.Rule + " "
	}
	if want := "outside_test.go  x.go x_test.go "; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}

// Before its benchmarks a test binary initializes packages and runs a TestMain.
func TestFindingsOfTheStartRankLast(t *testing.T) {
	s := newScene(t, trees)
	path := s.frame("build", "return &node")
	begins := "ex.com/x.init@ex.com/x/main.go:1 runtime.doInit1@/go/src/runtime/proc.go:1 "
	s.churn("runtime.newobject", path+begins)
	s.heaps[0].Heap(1e5, 0, s.frame("size", "size(n.left)")+"testing.(*B).runN@/go/src/testing/benchmark.go:1 "+start)
	s.cpu.CPU(10, profiletest.Malloc+"runtime.newobject@/go/src/x.go:1 "+s.frame("size", "size(n.left)")+"testing.(*B).runN@/go/src/testing/benchmark.go:1 "+start)
	all := s.find()
	if len(all) < 2 || all[len(all)-1].Function != "main.build" {
		t.Fatalf("findings %+v, want build's last", all)
	}
	for i, f := range all {
		if f.Start != (f.File != "" && f.Function == "main.build") {
			t.Errorf("finding %d, of %s, is of the start: %t", i, f.Function, f.Start)
		}
		if f.Start && i != len(all)-1 {
			t.Errorf("finding %d of %d is of the start", i, len(all))
		}
	}
}
