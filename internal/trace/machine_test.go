package trace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/trace"
)

// scene makes events and lets a machine take them.
type scene struct {
	*testing.T
	m *machine
}

func newScene(t *testing.T, procs uint64) *scene {
	s := &scene{t, newMachine()}
	take(s, trace.EventSync, 0, 0, nil, trace.Sync{N: 1})
	take(s, trace.EventMetric, 0, 0, nil, trace.Metric{Name: "/sched/gomaxprocs:threads", Value: trace.Uint64Value(procs)})
	return s
}

// take takes an event at a time in milliseconds, with the goroutine that runs.
func take[T trace.EventDetails](s *scene, kind trace.EventKind, ms int64, g trace.GoID, stack []trace.StackFrame, details T) {
	s.Helper()
	c := trace.EventConfig[T]{Kind: kind, Time: trace.Time(ms * 1e6), Goroutine: g, Proc: 0, Thread: 0, Details: details}
	if stack != nil {
		c.Stack = trace.MakeStack(stack)
	}
	e, err := trace.MakeEvent(c)
	if err != nil {
		s.Fatal(err)
	}
	s.m.take(e)
}

// move changes a goroutine's state.
func (s *scene) move(ms int64, g trace.GoID, from, to trace.GoState, reason string) {
	s.Helper()
	t := trace.MakeGoStateTransition(g, from, to)
	t.Reason = reason
	take(s, trace.EventStateTransition, ms, g, nil, t)
}

func (s *scene) span(kind trace.EventKind, ms int64, g trace.GoID, name string, stack ...trace.StackFrame) {
	s.Helper()
	r := trace.Range{Name: name, Scope: trace.MakeResourceID(g)}
	take(s, kind, ms, g, stack, r)
}

// millis writes parts in milliseconds.
func millis(p Parts) Parts {
	return Parts{p.Assist / 1e6, p.Sweep / 1e6, p.Wait / 1e6, p.Queue / 1e6, p.Pause / 1e6}
}

var allocates = []trace.StackFrame{
	{PC: 1, Func: "runtime.mallocgc", File: "malloc.go", Line: 9}, {PC: 2, Func: "strings.(*Builder).grow", File: "builder.go", Line: 66},
	{PC: 3, Func: "example.com/app.render", File: "/src/app/render.go", Line: 42}, {PC: 4, Func: "main.work", File: "work.go", Line: 7},
}

// A burst that queues behind a mark worker on one of two processors, assists,
// waits for work and is stopped pays each part as the package comment defines it.
func TestPartsOfABurst(t *testing.T) {
	s := newScene(t, 2)
	const g, worker = 1, 2
	s.move(0, worker, trace.GoUndetermined, trace.GoRunning, "")
	take(s, trace.EventLabel, 0, worker, nil, trace.Label{Label: "GC (dedicated)", Resource: trace.MakeResourceID(trace.GoID(worker))})
	s.move(10, g, trace.GoNotExist, trace.GoRunnable, "")
	s.move(20, g, trace.GoRunnable, trace.GoRunning, "") // 10 ms, one of two processors marks
	s.span(trace.EventRangeBegin, 25, g, "GC mark assist", allocates...)
	s.move(28, g, trace.GoRunning, trace.GoWaiting, "GC mark assist wait for work")
	s.move(32, g, trace.GoWaiting, trace.GoRunnable, "")
	s.move(32, g, trace.GoRunnable, trace.GoRunning, "")
	s.span(trace.EventRangeEnd, 33, g, "GC mark assist")
	s.move(40, worker, trace.GoRunning, trace.GoWaiting, "system goroutine wait")
	s.move(50, g, trace.GoRunning, trace.GoRunnable, "preempted")
	s.span(trace.EventRangeBegin, 50, worker, "stop-the-world (GC mark termination)")
	s.span(trace.EventRangeEnd, 52, worker, "stop-the-world (GC mark termination)")
	s.move(56, g, trace.GoRunnable, trace.GoRunning, "")
	s.move(60, g, trace.GoRunning, trace.GoWaiting, "chan receive")
	doc := s.m.document()
	q := doc.Bursts.At(1)
	if want := (Parts{Assist: 4, Wait: 4, Queue: 5, Pause: 2}); millis(q.Parts) != want || q.Length != 50e6 || q.Without != 35e6 || q.Count != 1 {
		t.Errorf("burst of %d ns, without %d ns, parts %+v; want 50 ms, 35 ms, %+v", q.Length, q.Without, millis(q.Parts), want)
	}
	want := []Line{{
		Place: Place{"strings.(*Builder).grow", "builder.go", 66}, Own: &Place{"example.com/app.render", "/src/app/render.go", 42},
		Assists: 1, Assist: 8e6, Longest: 8e6, InTail: 8e6,
	}}
	if d := cmp.Diff(want, doc.Lines); d != "" {
		t.Error(d)
	}
	if want := []Waiter{{Function: "main.work", Goroutines: 1, Parts: q.Parts, Longest: 15e6}}; !cmp.Equal(want, doc.Waiters) {
		t.Error(cmp.Diff(want, doc.Waiters))
	}
	if d := doc.Delays; d.Count != 3 || d.Total != 16e6 || millis(d.Parts) != (Parts{Queue: 5, Pause: 2}) {
		t.Errorf("delays: %+v", d)
	}
	if got := doc.CPU[Dedicated]; got != 40e6 {
		t.Errorf("dedicated %d ns, want 40 ms", got)
	}
}

// A goroutine that allocates and waits for the lock under which a collection
// begins waits for the collector, though the reason is that of a mutex.
func TestLockOfTheCollector(t *testing.T) {
	for f, want := range map[string]Parts{"runtime.gcStart": {Wait: 4}, "sync.(*Mutex).Lock": {}} {
		s := newScene(t, 1)
		s.move(0, 1, trace.GoNotExist, trace.GoRunnable, "")
		s.move(0, 1, trace.GoRunnable, trace.GoRunning, "")
		block := trace.MakeGoStateTransition(1, trace.GoRunning, trace.GoWaiting)
		block.Reason = "sync"
		take(s, trace.EventStateTransition, 1, 1, []trace.StackFrame{{PC: 1, Func: "runtime.semacquire"}, {PC: 2, Func: f}, {PC: 3, Func: "main.work"}}, block)
		s.move(5, 1, trace.GoWaiting, trace.GoRunnable, "")
		s.move(5, 1, trace.GoRunnable, trace.GoRunning, "")
		s.move(6, 1, trace.GoRunning, trace.GoNotExist, "")
		if got := millis(s.m.document().Bursts.Parts); got != want {
			t.Errorf("%s: %+v, want %+v", f, got, want)
		}
	}
}

// Waits of a goroutine's own, system calls, and bursts that the trace does not
// hold whole are nobody's doing.
func TestOwnWaitsDoNotCount(t *testing.T) {
	s := newScene(t, 1)
	s.move(0, 1, trace.GoUndetermined, trace.GoRunnable, "") // woken before the trace
	s.move(5, 1, trace.GoRunnable, trace.GoRunning, "")
	s.move(6, 1, trace.GoRunning, trace.GoWaiting, "sync")
	s.move(9, 1, trace.GoWaiting, trace.GoRunnable, "")
	s.move(9, 1, trace.GoRunnable, trace.GoRunning, "")
	s.move(10, 1, trace.GoRunning, trace.GoSyscall, "")
	s.move(19, 1, trace.GoSyscall, trace.GoRunning, "")
	s.move(20, 1, trace.GoRunning, trace.GoWaiting, "network")
	doc := s.m.document()
	if b := doc.Bursts; b.Count != 1 || b.Total != 2e6 || b.Parts != (Parts{}) {
		t.Errorf("bursts: %+v, want one of 2 ms", b)
	}
	if d := doc.Delays; d.Count != 1 {
		t.Errorf("%d delays, want the one that begins in the trace", d.Count)
	}
}

// Many small steps become few, and nothing is lost.
func TestStepsKeepSums(t *testing.T) {
	var s steps
	var busy [kinds]int
	busy[assist] = 2
	for at := int64(0); at < 100e6; at += 1000 {
		s.add(at, at+1000, busy, 3)
	}
	var cpu, runnable int64
	for _, step := range s.all {
		cpu += step.cpu[assist]
		runnable += step.runnable
	}
	if cpu != 200e6 || runnable != 300e6 || len(s.all) > maxSteps || len(s.all) < maxSteps/2 {
		t.Errorf("%d ns of assist, %d ns runnable in %d steps", cpu, runnable, len(s.all))
	}
}

// A collection that the program asks for is told with its line; others have none.
func TestForcedCollections(t *testing.T) {
	asks := []trace.StackFrame{
		{PC: 5, Func: "runtime.GC", File: "mgc.go", Line: 5}, {PC: 6, Func: "runtime/debug.freeOSMemory", File: "mheap.go", Line: 1},
		{PC: 7, Func: "runtime/debug.FreeOSMemory", File: "garbage.go", Line: 9}, {PC: 8, Func: "main.report", File: "/src/app/report.go", Line: 12},
	}
	for name, stack := range map[string][]trace.StackFrame{"forced": asks, "by an allocation": allocates} {
		s := newScene(t, 1)
		s.move(0, 1, trace.GoUndetermined, trace.GoRunning, "")
		marks := trace.Range{Name: "GC concurrent mark phase"} // of the whole program
		take(s, trace.EventRangeBegin, 5, 1, stack, marks)
		take(s, trace.EventRangeEnd, 9, 1, nil, marks)
		n, at := s.m.document().Forced()
		if name == "forced" && (n != 1 || at == nil || at.String() != "main.report report.go:12") || name != "forced" && (n != 0 || at != nil) {
			t.Errorf("%s: %d at %v", name, n, at)
		}
	}
}
