package diagnose

import (
	"strings"
	"testing"
)

func TestGrowth(t *testing.T) {
	leak, cache := "example.org/app.leak@/src/app/x.go:1"+root, "example.org/app.cache@/src/app/x.go:2"+root
	var files []string
	const mib = 1 << 20 / 64 // objects
	for i := range int64(8) {
		// An odd profile must not hide the leak.
		odd := int64(0)
		if i == 4 {
			odd = 200 * mib
		}
		files = append(files, madeHeap(i*450).
			heap((1000+50*i)*mib, (101+i)*mib+odd, leak).
			heap((1000+20*i)*mib, (500+i%3)*mib, cache).
			file(t, "heap"))
	}
	e := gathered(t, Runtime{}, files...)
	behaves := map[string]Behavior{}
	for i := range e.Sites {
		s := &e.Sites[i]
		behaves[s.Function], _ = e.behavior(s)
		g := s.Growth
		if g.Low > g.PerHour || g.PerHour > g.High || g.Profiles != 8 {
			t.Errorf("%s: %+v", s.Function, g)
		}
		if s.Function == "example.org/app.leak" && (g.PerHour < 7<<20 || g.PerHour > 9<<20) { // 1 MiB in 450 s
			t.Errorf("the leak grows by %v bytes per hour", g.PerHour)
		}
	}
	if behaves["example.org/app.leak"] != Grows || behaves["example.org/app.cache"] != Unclear {
		t.Errorf("%v", behaves)
	}
}

func TestGrowthIsNotGuessed(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + root
	e := gathered(t, Runtime{}, madeHeap(0).heap(100, 90, stack).file(t, "heap"))
	if b, why := e.behavior(&e.Sites[0]); b != Unclear || !strings.Contains(why, "one heap profile") {
		t.Errorf("%s: %s", b, why)
	}
	// After a restart what lived before says nothing.
	e = gathered(t, Runtime{}, madeHeap(0).heap(1000, 90, stack).file(t, "a"), madeHeap(60).heap(100, 10, stack).file(t, "b"))
	if e.Sites[0].Growth != nil || len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "restarted") {
		t.Errorf("%+v, %q", e.Sites[0].Growth, e.Notes)
	}
	// The interval of two is that of sampling: 512 KiB stand for one sample.
	e = gathered(t, Runtime{}, madeHeap(0).heap(100, 90, stack).file(t, "a"), madeHeap(60).heap(200, 95, stack).file(t, "b"))
	if g := e.Sites[0].Growth; g == nil || g.Low >= 0 || g.High <= g.PerHour {
		t.Errorf("%+v", e.Sites[0].Growth)
	}
}
