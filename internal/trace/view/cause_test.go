package view

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/trace"
)

// slow returns a document whose slowest bursts take one second, of which the collector
// causes a share.
func slow(collector float64) *trace.Document {
	tail := trace.Quantile{Q: 0.99, Length: 1e7, Count: 100, Total: 1e9}
	tail.Parts.Assist = int64(collector * 1e9)
	all := trace.Tail{Count: 10_000, Quantiles: []trace.Quantile{tail}}
	return &trace.Document{Duration: 5e9, Cycles: make([]trace.Cycle, 1), Bursts: all, Joined: all}
}

func place(function string) trace.Place {
	return trace.Place{Function: function, File: "/src/main.go", Line: 7}
}

// A line that stops the world comes first, with the remedy for its reason.
func TestStopsComeFirst(t *testing.T) {
	for reason, remedy := range map[string]string{
		"read mem stats": "runtime/metrics.Read", "goroutine profile": "Take it less often", "GOMAXPROCS": "Set it once",
		"write heap dump": "heap profile instead", "all goroutines stack trace": "Pass false", "something new": "less often",
	} {
		d := slow(0.2)
		d.Stops = []trace.Stop{{Place: place("main.load"), Reason: reason, Count: 4000, Time: 1e9, Turns: 2e9, InTail: 6e8}}
		text := Answer(d)
		if !strings.Contains(text[0], "main.load main.go:7 stops the world: 4k stops ("+reason+") are 60.0%") ||
			!strings.Contains(text[0], "for 20.0% of the trace") || !strings.Contains(text[0], "queue for their turn, for 2 s") ||
			!strings.Contains(text[1], remedy) {
			t.Errorf("%s: %q", reason, text[:2])
		}
	}
}

// Waits come first with the line that waits, the line that holds, its slow operation and a
// remedy. The largest cause leads, and a small one is left out.
func TestWaitsComeFirst(t *testing.T) {
	waits := []trace.Wait{
		{Kind: trace.LockWait, At: place("main.touch"), By: place("main.save"), Count: 9, Time: 2e9, InTail: 4e8,
			Away: []trace.Away{{Place: place("main.flush"), Via: "syscall.Fsync", Doing: "system call", Time: 15e8}}},
		{Kind: trace.LockWait, At: place("main.list"), By: place("main.save"), Count: 1, Time: 1e6, InTail: 1e6},
	}
	const lead = "Waiting for locks takes 40.1% of the time"
	for _, test := range []struct {
		name      string
		collector float64
		change    func(*trace.Document)
		first     bool
	}{
		{"the largest cause", 0.1, nil, true},
		{"without a collection", 0, func(d *trace.Document) { d.Cycles = nil }, true},
		{"less than the collector", 0.5, nil, false},
	} {
		d := slow(test.collector)
		d.Waits = waits
		if test.change != nil {
			test.change(d)
		}
		text := Answer(d)
		if strings.HasPrefix(text[0], lead) != test.first {
			t.Errorf("%s: %q", test.name, text)
		}
		for _, part := range []string{lead, "main.touch main.go:7 waits most, until main.save main.go:7 unlocks.", "75.0% of the time in system calls",
			"main.flush main.go:7 (in syscall.Fsync): do this outside of the lock", "Or split the lock"} {
			if !strings.Contains(strings.Join(text, "\n"), part) {
				t.Errorf("%s: no %q in %q", test.name, part, text)
			}
		}
	}
	for name, change := range map[string]func(*trace.Document){
		"a small share":   func(d *trace.Document) { d.Joined.Quantiles[0].Total = 1e10 },
		"short bursts":    func(d *trace.Document) { d.Joined.Quantiles[0].Count = 100_000 },
		"few bursts":      func(d *trace.Document) { d.Joined.Count = enough - 1 },
		"an older result": func(d *trace.Document) { d.Joined = trace.Tail{} },
	} {
		d := slow(0)
		d.Waits = waits
		change(d)
		if text := strings.Join(Answer(d), "\n"); strings.Contains(text, "Waiting for") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A holder that computes has no slow operation, but a line at which it was seen.
func TestHolderComputes(t *testing.T) {
	d := slow(0)
	d.Waits = []trace.Wait{{Kind: trace.ChannelWait, At: place("main.ask"), By: place("main.work"), Count: 9, Time: 2e9, InTail: 4e8,
		Away: []trace.Away{{Place: place("main.encode"), Via: "encoding/json.Marshal", Doing: "preempted", Time: 3e6}}}}
	if text := strings.Join(Answer(d), "\n"); !strings.Contains(text, "the holder computes, such as at main.encode main.go:7 (in json.Marshal)") {
		t.Error(text)
	}
}

// Goroutines that wait to the end of the trace come first. Those that have just begun to
// wait do not.
func TestStuckComesFirst(t *testing.T) {
	for longest, first := range map[int64]bool{4e9: true, 1e9: false} {
		d := slow(0)
		d.Stuck = []trace.Stuck{{Kind: trace.LockWait, At: place("main.get"), Goroutines: 37, Longest: longest}}
		if text := Answer(d); strings.HasPrefix(text[0], "37 goroutines still wait for a lock at main.get main.go:7") != first {
			t.Errorf("%d: %q", longest, text)
		}
	}
}

// A collection that a request forces makes it slow, however little CPU time it costs.
func TestForcedCollectionsOfSlowBursts(t *testing.T) {
	for collector, want := range map[float64]bool{0.5: true, 0.05: false} {
		d := slow(collector)
		forced := place("main.report")
		d.Cycles[0].Forced = &forced
		if text := strings.Join(Answer(d), "\n"); strings.Contains(text, "at main.report main.go:7: remove the call") != want {
			t.Errorf("%v: %s", collector, text)
		}
	}
}

// Waiting for a processor comes after other waits, with the line that ran meanwhile.
func TestProcessorsComeAfterOtherWaits(t *testing.T) {
	d := slow(0.1)
	d.Procs = 1
	d.Ready = trace.Ready{Time: 7e9, InTail: 6e8, Runners: []trace.Runner{{Place: place("main.scan"), Time: 4e8}}}
	const lead = "Waiting for a free processor takes 60.0% of the time of the slowest 1% of bursts"
	if text := Answer(d); !strings.HasPrefix(text[0], lead) || !strings.Contains(text[0], "with GOMAXPROCS=1. Meanwhile main.scan main.go:7 ran most, for 400 ms.") ||
		!strings.Contains(text[1], "raise GOMAXPROCS") {
		t.Errorf("%q", text)
	}
	d.Waits = []trace.Wait{{Kind: trace.LockWait, At: place("main.touch"), By: place("main.save"), Count: 9, Time: 2e9, InTail: 4e8}}
	if text := Answer(d); !strings.HasPrefix(text[0], "Waiting for locks") || !strings.HasPrefix(text[2], lead) {
		t.Errorf("%q", text)
	}
}
