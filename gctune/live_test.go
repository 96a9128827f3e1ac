package gctune

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func TestStartStop(t *testing.T) {
	gogc := debug.SetGCPercent(142)
	defer debug.SetGCPercent(gogc)
	limit := debug.SetMemoryLimit(3 << 40)
	defer debug.SetMemoryLimit(limit)
	if s := Stats(); s.State != Stopped {
		t.Errorf("state %v", s.State)
	}
	tuner := start(t, Options{MinHeap: 64 << 20, Limit: 8 << 30, Logger: quiet})
	other, err := Start(Options{Logger: quiet})
	if !errors.Is(err, ErrRunning) {
		t.Errorf("Start twice: %v", err)
	}
	other.Stop() // nil, because it did not start
	if s := Stats(); s.Limit == 0 || s.State != Calm || s.GOGC == 142 {
		t.Errorf("stats %+v", s)
	}
	tuner.Stop()
	if p := debug.SetGCPercent(142); p != 142 {
		t.Errorf("after Stop: GOGC %d, was 142", p)
	}
	if l := debug.SetMemoryLimit(-1); l != 3<<40 {
		t.Errorf("after Stop: limit %d", l)
	}
}

// start starts a tuner that ends with the test at the latest.
func start(t *testing.T, o Options) *Tuner {
	t.Helper()
	tuner, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tuner.Stop)
	return tuner
}

// A tuner's Stop ends no other tuner.
func TestStopEndsItsOwnTuner(t *testing.T) {
	first := start(t, Options{Logger: quiet})
	first.Stop()
	second := start(t, Options{Logger: quiet})
	first.Stop()
	if s := Stats(); s.State == Stopped {
		t.Error("Stop of a tuner that had ended stopped the next one")
	}
	second.Stop()
	if s := Stats(); s.State != Stopped {
		t.Errorf("after Stop the state is %v", s.State)
	}
}

// TestSomebodyElseSetsGOGC is the real runtime's side of
// TestYieldsToSomebodyElse.
func TestSomebodyElseSetsGOGC(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	limit := debug.SetMemoryLimit(-1)
	tuner := start(t, Options{MinHeap: 64 << 20, Limit: 8 << 30, Logger: quiet})
	debug.SetGCPercent(77)
	for Stats().State != Yielded {
		runtime.GC() // gctune observes at the end of a cycle
	}
	if l := debug.SetMemoryLimit(-1); l != limit {
		t.Errorf("a limit of %d was left behind, was %d", l, limit)
	}
	tuner.Stop()
	if p := debug.SetGCPercent(100); p != 77 {
		t.Errorf("GOGC is %d, somebody else set 77", p)
	}
}

// TestGoalIsTheRuntimes holds the formula of pace.go against the runtime.
func TestGoalIsTheRuntimes(t *testing.T) {
	kept := retained(16 << 20)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	p := newLive(os.DirFS("/"), NoLimit)
	defer p.close()
	goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	for _, gogc := range []int{50, 100, 400, 20000} {
		debug.SetGCPercent(gogc)
		runtime.GC()
		runtime.GC() // the second finds the sweep done
		var o observation
		p.observe(&o)
		metrics.Read(goal)
		// A goroutine's stack may have grown since.
		if got, want := float64(o.heap.goal(gogc)), float64(goal[0].Value.Uint64()); got < want*0.99 || got > want*1.01 {
			t.Errorf("GOGC %d: goal %.0f, the runtime's is %.0f", gogc, got, want)
		}
	}
	runtime.KeepAlive(kept)
}

// TestSteadyStateAllocatesNothing observes and decides repeatedly.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	o, err := Options{Limit: 8 << 30, Logger: quiet}.filled()
	if err != nil {
		t.Fatal(err)
	}
	p := newLive(os.DirFS("/"), o.Limit)
	tn, err := newTuner(o, p, nil, p.close)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { close(tn.done); tn.end() }()
	observe := func() {
		p.readAt = -memoryEvery // the kernel's files as well
		p.observe(&tn.seen)
		tn.apply()
	}
	observe()
	if n := testing.AllocsPerRun(100, observe); n != 0 {
		t.Errorf("%v allocations per observation", n)
	}
}

// TestEveryCycleIsSeen forces cycles and waits for each to be told.
func TestEveryCycleIsSeen(t *testing.T) {
	w := watchCycles()
	defer w.stop()
	for range 5 {
		for seen := false; !seen; {
			runtime.GC()
			select {
			case <-w.c:
				seen = true
			case <-time.After(time.Second): // that cycle began before the sentinel was armed again
			}
		}
	}
}

func TestOneGoroutine(t *testing.T) {
	started := func() int {
		all := make([]byte, 1<<20)
		all = all[:runtime.Stack(all, true)]
		return strings.Count(string(all), "created by github.com/heapwright/heapwright/gctune.")
	}
	tuner := start(t, Options{Logger: quiet})
	if n := started(); n != 1 {
		t.Errorf("%d goroutines", n)
	}
	tuner.Stop()
	if n := started(); n != 0 {
		t.Errorf("%d goroutines are left", n)
	}
}

func TestWritePrometheus(t *testing.T) {
	var b bytes.Buffer
	if err := WritePrometheus(&b, Snapshot{State: Exceeding, GOGC: 150, NeedShare: 0.5}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# TYPE gctune_gogc_percent gauge\ngctune_gogc_percent 150\n", "gctune_exceeding 1\n", "gctune_defending 0\n", "gctune_need_ratio 0.5\n", "# TYPE gctune_decisions_total counter\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
}

// asking is a log handler that asks for the tuner's figures.
type asking struct {
	slog.Handler
	states chan State
}

func (a asking) Handle(context.Context, slog.Record) error {
	select {
	case a.states <- Stats().State:
	default:
	}
	return nil
}

func TestALoggerMayAskForTheFigures(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	a := asking{quiet.Handler(), make(chan State, 1)}
	tuner := start(t, Options{Limit: 8 << 30, Logger: slog.New(a)})
	if s := <-a.states; s != Stopped {
		t.Errorf("while it starts the state is %v", s)
	}
	debug.SetGCPercent(77)
	runtime.GC() // gctune observes at the end of a cycle, and warns
	for <-a.states != Yielded {
	}
	tuner.Stop()
}

// TestNothingIsCollectedBelowTheFloor allocates less than the floor on the real
// runtime.
func TestNothingIsCollectedBelowTheFloor(t *testing.T) {
	const floor = 256 << 20
	start(t, Options{MinHeap: floor, Limit: NoLimit, Logger: quiet})
	cycles := []metrics.Sample{{Name: metricNames[mCycles]}}
	count := func() uint64 { metrics.Read(cycles); return cycles[0].Value.Uint64() }
	runtime.GC()
	for Stats().Cycles < count() {
		runtime.Gosched() // until it has decided on the last cycle
	}
	if s := Stats(); s.Floor < floor {
		t.Skipf("the machine is short of memory, the floor is at %d MiB", s.Floor>>20)
	}
	before := count()
	for range 100 {
		if garbage(1 << 20).data[0] != 0 {
			t.Fatal("never")
		}
	}
	if n := count() - before; n != 0 {
		t.Errorf("%d collections while 100 MiB were allocated, with a floor of %d MiB", n, floor>>20)
	}
}
