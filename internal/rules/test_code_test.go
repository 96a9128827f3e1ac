package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

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
