package evidence

import (
	"fmt"
	"strings"
	"testing"
	"time"

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

// Profiles that are nearly of one time show no rate, however many there are and whatever
// their difference is.
func TestGrowthNeedsTime(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	// grown returns the growth over profiles at these times, each with 1 GiB more.
	grown := func(at ...time.Duration) *Growth {
		var files []string
		for i, at := range at {
			h := profiletest.NewHeap(0).Heap(int64(i+1)<<24, int64(i+1)<<24, stack)
			h.TimeNanos += int64(at)
			files = append(files, h.File(t, fmt.Sprint(i)))
		}
		return built(t, Runtime{}, files...).Sites[0].Growth
	}
	if g := grown(0, 1, 2, 3); g != nil {
		t.Errorf("profiles that are 1 ns apart grow by %+v", g)
	}
	if g := grown(0, 400*time.Millisecond, 800*time.Millisecond); g != nil {
		t.Errorf("profiles within a second grow by %+v", g)
	}
	hour := grown(0, 1, 2, 3, time.Hour)
	if hour == nil || hour.Profiles != 2 || hour.PerHour != 4<<30 {
		t.Errorf("of five profiles, four of them at one time: %+v", hour)
	}
}

// Samples are too few for a small growth, and the exact live heap decides.
func TestExactHeapDecides(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	var files []string
	var exact, steady []LiveHeap
	for i := range int64(9) {
		h := profiletest.NewHeap(2*i).Heap((i+1)<<17, 1<<17+i<<12, stack)
		files = append(files, h.File(t, fmt.Sprint(i)))
		at := LiveHeap{Taken: time.Unix(0, h.TimeNanos), Bytes: 9<<20 + float64(i<<18)}
		exact = append(exact, at)
		steady = append(steady, LiveHeap{at.Taken, 9 << 20})
	}
	for name, test := range map[string]struct {
		heaps []LiveHeap
		grows bool
	}{"no exact heaps": {nil, false}, "steady": {steady, false}, "too few": {exact[:3], false}, "growing": {exact, true}} {
		e := built(t, Runtime{Heaps: test.heaps}, files...)
		if e.HeapGrowth.Grows() != test.grows || e.Sites[0].Staying != test.grows || e.Sites[0].Retained {
			t.Errorf("%s: the heap grows: %v; the site: %+v", name, e.HeapGrowth, e.Sites[0])
		}
	}
}
