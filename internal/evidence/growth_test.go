package evidence

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

func TestGrowth(t *testing.T) {
	e := built(t, Runtime{}, profiletest.LeakAndCache(t)...)
	for i := range e.Sites {
		s := &e.Sites[i]
		g := s.Growth
		if g.Low > g.PerHour || g.PerHour > g.High || g.Profiles != 8 {
			t.Errorf("%s: %+v", s.Function, g)
		}
		if leaks := s.Function == "example.org/app.leak"; leaks != (g.Low > 0) || g.High < 0 {
			t.Errorf("%s: %+v", s.Function, g)
		}
		if s.Function == "example.org/app.leak" && (g.PerHour < 112<<20 || g.PerHour > 144<<20) { // 16 MiB in 450 s
			t.Errorf("the leak grows by %v bytes per hour", g.PerHour)
		}
	}
}

func TestGrowthIsNotGuessed(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	// After a restart, live memory of before says nothing.
	e := built(t, Runtime{}, profiletest.NewHeap(0).Heap(1000, 90, stack).File(t, "a"), profiletest.NewHeap(60).Heap(100, 10, stack).File(t, "b"))
	if e.Sites[0].Growth != nil || len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "restarted") {
		t.Errorf("%+v, %q", e.Sites[0].Growth, e.Notes)
	}
	// The interval of two is that of sampling: 512 KiB stand for one sample.
	e = built(t, Runtime{}, profiletest.NewHeap(0).Heap(100, 90, stack).File(t, "a"), profiletest.NewHeap(60).Heap(200, 95, stack).File(t, "b"))
	if g := e.Sites[0].Growth; g == nil || g.Low >= 0 || g.High <= g.PerHour {
		t.Errorf("%+v", e.Sites[0].Growth)
	}
}
