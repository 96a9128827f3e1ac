package trace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	xtrace "golang.org/x/exp/trace"
)

// On one processor a goroutine that computes keeps another waiting, which pays for the wait
// in its burst. The line at which the first one is stopped is named, with the time for which
// others waited.
func TestWaitsForAProcessor(t *testing.T) {
	s := newScene(t, 1)
	s.run(0, 1)
	s.change(5, 2, 1, xtrace.GoNotExist, xtrace.GoRunnable, "", "main.serve")
	s.change(15, 1, 0, xtrace.GoRunning, xtrace.GoRunnable, "preempted", "strings.Index", "main.scan")
	s.change(15, 2, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
	s.exit(17, 2)
	s.change(17, 1, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
	s.exit(30, 1)
	doc := s.m.document()
	// The longer burst is the tail: it waits for 2 ms of its 30.
	want := Ready{Time: 12e6, InTail: 2e6, Runners: []Runner{{Place: at("main.scan"), Via: "strings.Index", Time: 10e6}, {Place: Place{Function: unknown}, Time: 2e6}}}
	if d := cmp.Diff(want, doc.Ready); d != "" {
		t.Error(d)
	}
	if len(doc.Waits) != 0 {
		t.Errorf("waits %v", doc.Waits)
	}
}
