package collect

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gpprof "github.com/google/pprof/profile"
)

// A clock that is set back within the window, the service's or our own, does not change
// the window's length.
func TestClockSetBack(t *testing.T) {
	late := changedHeap(t, func(p *gpprof.Profile) { p.TimeNanos -= time.Hour.Nanoseconds() })
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s["/debug/pprof/heap"] = beforeAndAfter([2][]byte{recordings().heaps[0], late})
		plan := start(t, s)
		doc, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(doc.Paths(plan.Dir, "allocs")[0])
		if err != nil {
			t.Fatal(err)
		}
		p, err := gpprof.ParseData(data)
		if err != nil || time.Duration(p.DurationNanos) != DefaultDuration {
			t.Errorf("the allocations are of %v, %v", time.Duration(p.DurationNanos), err)
		}
	})
}

// In a bubble of synctest, times have no monotonic clock.
func TestTakenByTheMonotonicClock(t *testing.T) {
	plan, root, err := start(t, newService(t)).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	client, err := plan.Access.client(t.Context(), root, plan.dial)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	c := &collector{plan: plan, root: root, client: client, doc: &Document{}}
	got, err := c.fetch(t.Context(), heap, 0)
	if err != nil || !strings.Contains(got.at.String(), " m=") {
		t.Errorf("%v, %v", got.at, err)
	}
}
