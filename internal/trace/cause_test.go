package trace

import (
	"bytes"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	xtrace "golang.org/x/exp/trace"
)

// frames returns a stack of functions, the innermost first. A function of package main
// stands at a line with the length of its name.
func frames(functions ...string) (all []xtrace.StackFrame) {
	for i, f := range functions {
		frame := xtrace.StackFrame{PC: uint64(i + 1), Func: f, File: "lib.go", Line: 1}
		if strings.HasPrefix(f, "main.") {
			frame.File, frame.Line = "main.go", uint64(len(f))
		}
		all = append(all, frame)
	}
	return all
}

// at returns the place of a function in frames.
func at(function string) Place { return Place{function, "main.go", len(function)} }

// change changes the state of a goroutine, by another if by is not 0, with a stack.
func (s *scene) change(ms int64, g, by xtrace.GoID, from, to xtrace.GoState, reason string, functions ...string) {
	s.Helper()
	t := xtrace.MakeGoStateTransition(g, from, to)
	t.Reason = reason
	running := g
	if by != 0 {
		running = by
	}
	var stack []xtrace.StackFrame
	if len(functions) > 0 {
		stack = frames(functions...)
		t.Stack = xtrace.MakeStack(stack) // of a goroutine's state when the trace begins
	}
	take(s, xtrace.EventStateTransition, ms, running, stack, t)
}

// run wakes an idle goroutine and runs it.
func (s *scene) run(ms int64, g xtrace.GoID) {
	s.Helper()
	s.change(ms, g, 0, xtrace.GoNotExist, xtrace.GoRunnable, "")
	s.change(ms, g, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
}

// block makes a goroutine wait, and wake ends the wait at the stack of another.
func (s *scene) block(ms int64, g xtrace.GoID, reason string, functions ...string) {
	s.Helper()
	s.change(ms, g, 0, xtrace.GoRunning, xtrace.GoWaiting, reason, functions...)
}

func (s *scene) wake(ms int64, g, by xtrace.GoID, functions ...string) {
	s.Helper()
	s.change(ms, g, by, xtrace.GoWaiting, xtrace.GoRunnable, "", functions...)
	s.change(ms, g, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
}

func (s *scene) exit(ms int64, g xtrace.GoID) {
	s.Helper()
	s.change(ms, g, 0, xtrace.GoRunning, xtrace.GoNotExist, "")
}

// A stop of the world is charged to its line in the bursts of the goroutine that stops,
// of one that could run, and of one that waits for its turn. The tracer's own stops are not.
func TestStopsAreCharged(t *testing.T) {
	s := newScene(t, 2)
	reads := []string{"runtime.stopTheWorld", "runtime.ReadMemStats", "main.load", "main.main"}
	stop := func(kind xtrace.EventKind, ms int64, reason string) {
		s.span(kind, ms, 1, "stop-the-world ("+reason+")", frames(reads...)...)
	}
	for g := range xtrace.GoID(3) {
		s.run(0, g+1)
	}
	stop(xtrace.EventRangeBegin, 1, "start trace")
	stop(xtrace.EventRangeEnd, 9, "start trace")
	s.change(10, 2, 0, xtrace.GoRunning, xtrace.GoRunnable, "preempted", "main.other")
	stop(xtrace.EventRangeBegin, 10, "read mem stats")
	stop(xtrace.EventRangeEnd, 14, "read mem stats")
	s.change(15, 2, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
	s.block(16, 3, "sync", append([]string{"runtime.semacquire"}, reads...)...)
	stop(xtrace.EventRangeBegin, 16, "read mem stats")
	stop(xtrace.EventRangeEnd, 18, "read mem stats")
	s.wake(18, 3, 1, "runtime.startTheWorld", "runtime.ReadMemStats", "main.load")
	for g := range xtrace.GoID(3) {
		s.exit(20, g+1)
	}
	doc := s.m.document()
	// 4+2 by the goroutine that stops, 4 by the one that could run, 2 in turn.
	want := []Stop{{Place: at("main.load"), Reason: "read mem stats", Count: 2, Time: 6e6, Longest: 4e6, Turns: 2e6, InTail: 12e6}}
	if d := cmp.Diff(want, doc.Stops); d != "" {
		t.Error(d)
	}
	if len(doc.Waits) != 0 || doc.Joined.Count != 3 || doc.Joined.Total != 60e6 {
		t.Errorf("waits %v, joined %+v", doc.Waits, doc.Joined)
	}
	for _, p := range doc.Pauses {
		if (p.At != nil) != (p.Reason == "read mem stats") {
			t.Errorf("pause %+v", p)
		}
	}
}

// A collection that cannot begin while another stops the world is that stop's doing.
func TestCollectionBehindAStop(t *testing.T) {
	s := newScene(t, 2)
	s.run(0, 1)
	s.run(0, 2)
	s.block(1, 2, "sync", "runtime.semacquire", "runtime.gcStart", "runtime.mallocgc", "main.other")
	s.span(xtrace.EventRangeBegin, 2, 1, "stop-the-world (read mem stats)", frames("runtime.stopTheWorld", "main.load")...)
	s.span(xtrace.EventRangeEnd, 5, 1, "stop-the-world (read mem stats)")
	s.wake(5, 2, 1, "runtime.ReadMemStats", "main.load")
	s.exit(5, 2)
	doc := s.m.document()
	if got := millis(doc.Bursts.Parts); got != (Parts{Wait: 1}) || doc.Stops[0].InTail != 3e6 || doc.Joined.Total != 5e6 {
		t.Errorf("parts %+v, stops %+v, total %d", got, doc.Stops, doc.Joined.Total)
	}
}

// A goroutine behind a queue for a lock waits for whoever held it meanwhile, not for the
// last of the queue. The holder's system call is named.
func TestWaitsBehindAQueue(t *testing.T) {
	s := newScene(t, 4)
	lock := func(caller string) []string {
		return []string{"runtime.semacquire1", "internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", caller}
	}
	unlock := func(caller string) []string {
		return []string{"runtime.semrelease1", "internal/sync.(*Mutex).unlockSlow", "sync.(*Mutex).Unlock", caller}
	}
	const holder, second, third = 1, 2, 3
	s.run(0, holder)
	s.change(0, holder, 0, xtrace.GoRunning, xtrace.GoSyscall, "", "syscall.Fsync", "os.(*File).Sync", "main.save")
	s.run(1, second)
	s.block(1, second, "sync", lock("main.touch")...)
	s.run(2, third)
	s.block(2, third, "sync", lock("main.touch")...)
	s.change(10, holder, 0, xtrace.GoSyscall, xtrace.GoRunning, "")
	s.wake(11, second, holder, unlock("main.save")...)
	s.wake(12, third, second, unlock("main.touched")...)
	for g := range xtrace.GoID(3) {
		s.exit(12, g+1)
	}
	doc := s.m.document()
	want := []Wait{
		{Kind: LockWait, At: at("main.touch"), By: at("main.save"), Count: 2, Time: 19e6, Longest: 10e6, InTail: 10e6,
			Away: []Away{{Place: at("main.save"), Via: "syscall.Fsync", Doing: "system call", Time: 17e6}}},
		{Kind: LockWait, At: at("main.touch"), By: at("main.touched"), Count: 1, Time: 1e6, Longest: 1e6},
	}
	if d := cmp.Diff(want, doc.Waits); d != "" {
		t.Error(d)
	}
	if doc.Bursts.Count != 5 || doc.Joined.Count != 3 {
		t.Errorf("%d bursts, %d joined, want 5 and 3", doc.Bursts.Count, doc.Joined.Count)
	}
}

// Waits for work, for news and for a goroutine's own work are idle. Waits behind the
// work of others are not.
func TestIdleWaits(t *testing.T) {
	const handler = "net/http.serverHandler.ServeHTTP"
	for _, test := range []struct {
		name, reason string
		stack        []string
		by           string // who ends the wait
		want         WaitKind
	}{
		{"a worker receives", "chan receive", []string{"main.worker"}, "busy", ""},
		{"a worker sends", "chan send", []string{"main.worker"}, "busy", ""},
		{"a worker selects", "select", []string{"main.worker"}, "busy", ""},
		{"a worker waits for a condition", "sync.(*Cond).Wait", []string{"sync.(*Cond).Wait", "main.worker"}, "busy", ""},
		{"a worker takes a lock", "sync", []string{"sync.(*RWMutex).RLock", "main.worker"}, "busy", LockWait},
		{"a worker waits for a group", "sync", []string{"sync.(*WaitGroup).Wait", "main.worker"}, "busy", ""},
		{"a worker wants a connection", "select", []string{"database/sql.(*DB).conn", "main.worker"}, "busy", PoolWait},
		{"a worker reads", "network", []string{"net.(*conn).Read", "main.worker"}, "busy", ""},
		{"a long poll has news", "select", []string{"main.poll", handler}, "idle", ""},
		{"a long poll has no news", "select", []string{"main.poll", handler}, "", ""},
		{"a request waits for its goroutine", "chan receive", []string{"main.fan", handler}, "child", ""},
		{"a request waits for its goroutines", "sync", []string{"sync.(*WaitGroup).Wait", "main.fan", handler}, "child", ""},
		{"a request queues for a worker", "chan receive", []string{"main.ask", handler}, "busy", ChannelWait},
		{"a request queues for a condition", "sync.(*Cond).Wait", []string{"sync.(*Cond).Wait", "main.ask", handler}, "busy", ConditionWait},
		{"a request joins a flight", "sync", []string{"sync.(*WaitGroup).Wait", "main.load", handler}, "busy", GroupWait},
		{"a request sends to a full channel", "chan send", []string{"main.ask", handler}, "idle", ChannelWait},
		{"a request sleeps", "sleep", []string{"time.Sleep", "main.ask", handler}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, 4)
			const g, busy, idle, child = 1, 2, 3, 4
			s.run(0, busy)
			s.run(10, g)
			s.change(10, child, g, xtrace.GoNotExist, xtrace.GoRunnable, "")
			s.change(10, child, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
			s.block(11, g, test.reason, test.stack...)
			s.run(19, idle)
			s.wake(20, g, map[string]xtrace.GoID{"busy": busy, "idle": idle, "child": child}[test.by], "main.release")
			s.exit(21, g)
			doc := s.m.document()
			var got WaitKind
			for _, w := range doc.Waits {
				if got = w.Kind; w.Time != 9e6 || w.By != at("main.release") {
					t.Errorf("%+v", w)
				}
			}
			if got != test.want {
				t.Errorf("kind %q, want %q", got, test.want)
			}
			if joined := int64(1 - len(doc.Waits) + 1); doc.Joined.Count != joined {
				t.Errorf("%d joined bursts, want %d", doc.Joined.Count, joined)
			}
		})
	}
}

// A channel of permits is shared wherever it is used, also while its holder sleeps. A
// worker that waits for work of other workers is idle, and so is a request for news that
// another request makes in the same function.
func TestPermits(t *testing.T) {
	for _, test := range []struct {
		name, from, waits, passed, releases string
		want                                WaitKind
	}{
		{"permit", "main.client", "main.limited", "main.limited", "main.limited", ChannelWait},
		{"work of a worker", "main.worker", "main.worker", "main.worker", "main.worker", ""},
		{"work of a producer", "main.client", "main.worker", "main.produce", "main.produce", ""},
		{"news of a producer", "main.client", "main.poll", "main.other", "main.poll", ""},
	} {
		s := newScene(t, 4)
		const g, by = 1, 2
		pause := func(begin, end int64, id xtrace.GoID, functions ...string) {
			s.block(begin, id, "chan receive", functions...)
			s.change(end, id, 0, xtrace.GoWaiting, xtrace.GoRunnable, "")
			s.change(end, id, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
		}
		s.run(0, g)
		s.run(0, by)
		pause(0, 1, g, test.from)
		pause(0, 1, by, test.passed)
		s.block(2, g, "chan receive", test.waits)
		s.block(3, by, "sleep", "time.Sleep", "main.slow")
		s.change(9, by, 0, xtrace.GoWaiting, xtrace.GoRunnable, "")
		s.change(9, by, 0, xtrace.GoRunnable, xtrace.GoRunning, "")
		s.wake(9, g, by, test.releases+".func1", test.releases)
		s.exit(10, g)
		var got WaitKind
		for _, w := range s.m.document().Waits {
			got = w.Kind
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Goroutines that wait for a lock when the trace ends are counted, also where the wait
// began before the trace. Those that got it, and idle ones, are not.
func TestStuck(t *testing.T) {
	s := newScene(t, 2)
	take := []string{"sync.(*Mutex).Lock", "main.get"}
	s.change(0, 1, 0, xtrace.GoUndetermined, xtrace.GoWaiting, "", take...)
	s.run(1, 2)
	s.block(2, 2, "sync", take...)
	s.run(1, 3)
	s.block(2, 3, "sync", take...)
	s.wake(3, 3, 2, "sync.(*Mutex).Unlock", "main.get")
	s.run(1, 4)
	s.block(2, 4, "chan receive", "main.worker")
	s.change(0, 5, 0, xtrace.GoUndetermined, xtrace.GoWaiting, "", "main.worker")
	s.exit(10, 3)
	want := []Stuck{{Kind: LockWait, At: at("main.get"), Goroutines: 2, Longest: 10e6}}
	if d := cmp.Diff(want, s.m.document().Stuck); d != "" {
		t.Error(d)
	}
}

// Handlers of net/http/pprof stop the world for whoever asks, not for the program's
// lines around them.
func TestProfilesAreAskedFor(t *testing.T) {
	s := newScene(t, 1)
	s.run(0, 1)
	const profiles = "stop-the-world (goroutine profile)"
	s.span(xtrace.EventRangeBegin, 1, 1, profiles, frames("runtime.stopTheWorld", "runtime/pprof.writeGoroutine",
		"net/http/pprof.handler.ServeHTTP", "main.logged", "net/http.serverHandler.ServeHTTP")...)
	s.span(xtrace.EventRangeEnd, 2, 1, profiles)
	if all := s.m.document().Stops; len(all) != 1 || strings.Contains(all[0].Function, "main.") {
		t.Errorf("%+v", all)
	}
}

// The runtime at hand writes traces whose stops and waits are found.
func TestOwnCauses(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip(err) // somebody traces this test
	}
	for range 3 {
		readStatistics()
	}
	var mu sync.Mutex
	var done sync.WaitGroup
	mu.Lock()
	done.Go(func() { waitForLock(&mu) })
	buf := make([]byte, 1<<20)
	for blocked := false; !blocked; runtime.Gosched() {
		text := string(buf[:runtime.Stack(buf, true)])
		for g := range strings.SplitSeq(text, "\n\n") {
			blocked = blocked || strings.Contains(g, "waitForLock") && strings.Contains(g, "[sync.Mutex.Lock")
		}
	}
	mu.Unlock()
	done.Wait()
	trace.Stop()
	doc, err := Read(t.Context(), "own", &b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	stopped := map[string]int64{}
	for _, s := range doc.Stops {
		stopped[s.Reason] += s.Count
		if s.Reason == "read mem stats" && !strings.HasSuffix(s.Function, ".readStatistics") {
			t.Errorf("%+v", s)
		}
	}
	if stopped["read mem stats"] != 3 || stopped["all goroutines stack trace"] == 0 || stopped["start trace"] != 0 {
		t.Errorf("stops %v", stopped)
	}
	for _, w := range doc.Waits {
		if w.Kind == LockWait && strings.HasSuffix(w.At.Function, ".waitForLock") {
			if !strings.HasSuffix(w.By.Function, ".TestOwnCauses") {
				t.Errorf("%+v", w)
			}
			return
		}
	}
	t.Errorf("no wait for the lock in %+v", doc.Waits)
}

//go:noinline
func readStatistics() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
}

//go:noinline
func waitForLock(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
}
