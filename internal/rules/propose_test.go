package rules

import (
	"fmt"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
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

// The same shares of fewer samples give less confidence.
func TestConfidenceDependsOnSamples(t *testing.T) {
	for samples, want := range map[int64]evidence.Confidence{1000: evidence.High, 100: evidence.Medium, 10: evidence.Low} {
		t.Run(fmt.Sprint(samples), func(t *testing.T) {
			s := newScene(t, conversions)
			frame := s.frame("serve", "w.Write(")
			s.heaps[0].Heap(1e6, 0, frame+start)
			s.cpu = profiletest.NewCPU().CPU(samples/10, profiletest.Malloc+"runtime.stringtoslicebyte@/go/src/x.go:1 "+frame+start).CPU(samples*9/10, frame+start)
			f := s.wants("string-conversion", "w.Write(")
			if f.Confidence != want {
				t.Errorf("confidence %s, want %s; CPU %+v", f.Confidence, want, f.CPU)
			}
			if last := f.Evidence[len(f.Evidence)-1]; (last.Name == "samples that show it") != (want != evidence.High) {
				t.Errorf("confidence %s by %+v", f.Confidence, last)
			}
		})
	}
}

// Without a CPU profile the heap profile's samples count.
func TestConfidenceByHeapSamples(t *testing.T) {
	for objects, want := range map[int64]evidence.Confidence{1e6: evidence.High, 1e5: evidence.Medium, 1e4: evidence.Low} {
		t.Run(fmt.Sprint(objects), func(t *testing.T) {
			s := newScene(t, conversions)
			s.cpu = profiletest.NewCPU()
			s.heaps[0].Heap(objects, 0, s.frame("serve", "w.Write(")+start)
			if f := s.find()[0]; f.Confidence != want {
				t.Errorf("confidence %s, want %s", f.Confidence, want)
			}
		})
	}
}
