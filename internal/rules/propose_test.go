package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// Without a CPU profile the cost of an allocation is unknown, but the lines that
// make most of them are known.
func TestFindingsWithoutCPUProfile(t *testing.T) {
	s := newScene(t, conversions)
	s.churn("runtime.stringtoslicebyte", s.frame("serve", "w.Write("))
	s.heaps[0].Heap(1e4, 0, s.frame("count", "m[string(b)]")+start)
	s.cpu = profiletest.NewCPU()
	findings := s.find()
	if len(findings) != 1 || findings[0].Rule != "string-conversion" || findings[0].Ceiling() != 0 {
		for _, f := range findings {
			t.Log(describe(f))
		}
		t.Fatal("want the line that makes most, with no ceiling")
	}
	last := findings[0].Evidence[len(findings[0].Evidence)-1]
	if last.Name != "of all that is allocated" || last.Value < 0.98 {
		t.Errorf("%+v", last)
	}
}

func TestFindingsWithoutHeapProfile(t *testing.T) {
	s := newScene(t, conversions)
	s.churn("runtime.stringtoslicebyte", s.frame("serve", "w.Write("))
	s.heaps = nil
	findings := s.find()
	if len(findings) == 0 || findings[0].Rule != "string-conversion" && findings[0].Rule != "frequent-gc" {
		t.Errorf("found %+v", findings)
	}
}

// One line, one finding: the smaller ones of the line stand below the best.
func TestOthersOfALine(t *testing.T) {
	s := newScene(t, closures)
	s.churn("runtime.newobject", s.frame("each", "run(func()"))
	s.cpu.CPU(10, profiletest.Malloc+"strings.Repeat@/go/src/s.go:1 "+s.frame("each", "run(func()")+start)
	f := s.wants("closure", "run(func()")
	if len(f.Others) != 1 || f.Others[0].Rule != "library-garbage" || f.Others[0].Ceiling() > f.Ceiling() {
		t.Errorf("others %+v", f.Others)
	}
}
