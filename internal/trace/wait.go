package trace

import "golang.org/x/exp/trace"

// collectorReasons are the reasons to block that only the collector gives. A
// goroutine is "preempted" when its stack is scanned.
var collectorReasons = map[string]bool{
	"GC mark assist wait for work": true, "GC weak to strong wait": true, "wait until GC ends": true, "preempted": true,
}

// collectorLocks are the functions of the runtime that wait for a lock of the
// collector, for the reason "sync", like any sync.Mutex.
var collectorLocks = map[string]bool{"runtime.gcStart": true, "runtime.gcMarkDone": true,
	"runtime.gcMarkTermination": true}

// waits remembers for the stacks of one generation whether they wait for a lock of
// the collector.
type waits map[trace.Stack]bool

// forCollector reports whether a goroutine that blocks does so for the collector.
func (w waits) forCollector(s trace.StateTransition) bool {
	if s.Reason != "sync" || s.Stack == trace.NoStack {
		return collectorReasons[s.Reason]
	}
	is, known := w[s.Stack]
	if !known {
		for f := range s.Stack.Frames() {
			is = is || collectorLocks[f.Func]
		}
		w[s.Stack] = is
	}
	return is
}
