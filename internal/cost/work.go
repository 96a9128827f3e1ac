package cost

import (
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// Work is what the runtime and the standard library's lowest layers do for a program
// beside managing memory. The classes Own and OtherRuntime hold it.
type Work uint8

const (
	Plain       Work = iota // the program itself, or nothing that has a name here
	StackGrowth             // a goroutine's stack is full and moves to one twice as large
	Timers                  // keeping timers in order and firing them
	Scheduling              // finding, waking and parking goroutines
	Starting                // starting goroutines
	Maps                    // looking up and inserting
	MapGrowth               // moving the entries of maps that grow
	Channels                // sending, receiving, selecting
	Locks                   // sync's locks while others hold them, and waking who waits
	SystemCalls             // the kernel, and entering and leaving it
	Cgo                     // calls into C, the C code with it
	Finalizers              // running them and cleanups, and setting them
	StackWalks              // stacks as values: runtime.Callers, debug.Stack
	Panics                  // panicking and recovering
	Copying                 // moving and clearing bytes
	Signals                 // signals, also the CPU profiler's
	numWorks
)

var workNames = [numWorks]string{"the program", "stack growth", "timers", "scheduling", "starting goroutines",
	"maps", "map growth", "channels", "locks", "system calls", "cgo calls", "finalizers", "walking stacks",
	"panics", "copying bytes", "signals"}

// String returns the name for people.
func (w Work) String() string { return workNames[w] }

// works are the functions that begin each work, by prefixes of their names. Their
// callees, such as runtime.lock2 and runtime.futex, serve many and are not named. Of
// several prefixes the longest counts.
var works = map[Work][]string{
	StackGrowth: {"runtime.newstack", "runtime.copystack", "runtime.morestack"},
	Timers: {"runtime.(*timers).", "runtime.(*timer).", "runtime.timeSleep", "runtime.runtimer",
		"runtime.runOneTimer", "runtime.checkTimers", "runtime.adjusttimers", "runtime.addtimer",
		"runtime.deltimer", "runtime.modtimer", "time.sendTime", "time.goFunc", "time.(*Timer).",
		"time.(*Ticker).", "time.newTimer", "time.stopTimer", "time.resetTimer", "time.startTimer",
		"runtime.newTimer", "runtime.stopTimer", "runtime.resetTimer"},
	Scheduling: {"runtime.schedule", "runtime.findRunnable", "runtime.findrunnable", "runtime.mcall",
		"runtime.park_m", "runtime.goexit0", "runtime.gosched_m", "runtime.gopreempt_m", "runtime.sysmon",
		"runtime.mstart", "runtime.asyncPreempt2", "runtime.Gosched", "runtime.netpoll"},
	Starting: {"runtime.newproc"},
	Maps: {"runtime.mapassign", "runtime.mapaccess", "runtime.mapdelete", "runtime.mapiter", "runtime.mapIter",
		"runtime.mapclear", "internal/runtime/maps."},
	MapGrowth: {"internal/runtime/maps.(*Map).growTo", "internal/runtime/maps.(*table).grow",
		"internal/runtime/maps.(*table).split", "internal/runtime/maps.(*table).rehash", "runtime.hashGrow",
		"runtime.growWork"},
	Channels: {"runtime.chansend", "runtime.chanrecv", "runtime.selectgo", "runtime.selectnb", "runtime.closechan"},
	Locks: {"sync.(*Mutex).", "sync.(*RWMutex).", "internal/sync.(*Mutex).", "internal/sync.runtime_",
		"sync.runtime_", "sync.(*Cond).", "sync.(*WaitGroup).", "runtime.semacquire", "runtime.semrelease",
		"runtime.notifyListNotify"},
	SystemCalls: {"internal/runtime/syscall", "runtime/internal/syscall", "syscall.", "golang.org/x/sys/unix.",
		"runtime.entersyscall", "runtime.exitsyscall", "runtime.reentersyscall"},
	Cgo: {"runtime.cgocall", "runtime.asmcgocall", "runtime.cgocallback"},
	Finalizers: {"runtime.runfinq", "runtime.runFinalizers", "runtime.runCleanups", "runtime.SetFinalizer",
		"runtime.AddCleanup", "runtime.queuefinalizer", "runtime.addfinalizer"},
	StackWalks: {"runtime.Callers", "runtime.Caller", "runtime.Stack", "runtime.CallersFrames",
		"runtime.(*Frames).Next", "runtime.FuncForPC", "runtime.callers"},
	Panics:  {"runtime.gopanic", "runtime.gorecover", "runtime.recovery"},
	Copying: {"runtime.memmove", "runtime.memclr", "runtime.growslice"},
	Signals: {"runtime.sigtramp", "runtime.sighandler", "runtime.sigprof"},
}

// longest is the work by prefix, for all of works.
var byPrefix = func() map[string]Work {
	all := map[string]Work{}
	for w, prefixes := range works {
		for _, p := range prefixes {
			all[p] = w
		}
	}
	return all
}()

// workOf returns the work that a function begins.
func workOf(function string) Work {
	work, longest := Plain, 0
	for p, w := range byPrefix {
		if len(p) > longest && strings.HasPrefix(function, p) {
			work, longest = w, len(p)
		}
	}
	return work
}

// Worker finds the work of the stacks of one dictionary; it serves one goroutine.
type Worker struct {
	dict  *profile.Dict
	known []uint8 // FunctionID → the work + 1; 0 is not known yet
}

// NewWorker returns a worker for stacks of the dictionary.
func NewWorker(d *profile.Dict) *Worker {
	return &Worker{dict: d, known: make([]uint8, d.NumFunctions())}
}

// Work returns the work of a stack, by the innermost function that begins one, and the
// outermost function of that work: runtime.newstack calls runtime.copystack. What the
// program's own functions do is theirs, except in finalizers.
func (w *Worker) Work(stack profile.StackID, owns func(profile.FunctionID) bool) (work Work, at profile.FunctionID) {
	own := false
	for f := range w.dict.Frames(stack) {
		if w.known[f.Function] == 0 {
			w.known[f.Function] = uint8(workOf(w.dict.FunctionName(f.Function))) + 1
		}
		found := Work(w.known[f.Function] - 1)
		switch {
		case found == Plain:
			own = own || owns(f.Function)
		case own && (work != Plain || found != Finalizers):
			// The scheduler polls the network by system calls.
		case work == Plain, found == work, outer[found], work == SystemCalls && found == Scheduling:
			work, at = found, f.Function
		}
	}
	return work, at
}

// outer are the works that other work is done for: firing a ticker sends over its
// channel, and locks, maps and system calls below them are theirs.
var outer = map[Work]bool{Timers: true, MapGrowth: true, StackGrowth: true, Finalizers: true,
	Cgo: true, StackWalks: true}
