package evidence

import (
	"slices"
	"strings"
)

// Reason is what a goroutine waits for.
type Reason string

// What goroutines wait for.
const (
	UnknownWait Reason = ""
	Lock        Reason = "a lock"
	Semaphore   Reason = "a semaphore"
	WaitGroup   Reason = "a WaitGroup"
	Cond        Reason = "a condition"
	Send        Reason = "a receiver of a channel"
	Receive     Reason = "a value from a channel"
	Select      Reason = "a select"
	Forever     Reason = "nothing" // select without cases, or a nil channel
	Sleep       Reason = "a sleep"
	Read        Reason = "data from the network"
	Write       Reason = "the network to take data"
	Accept      Reason = "a connection"
	Response    Reason = "an HTTP response"
	Connection  Reason = "a database connection"
	SystemCall  Reason = "a system call"
	Running     Reason = "a processor" // it runs or is runnable
)

// waits are functions by the beginning of their names, and what their callers wait
// for. Of several on a stack the last in this list counts: it knows more.
var waits = []struct {
	prefix string
	reason Reason
}{
	{"runtime.chansend", Send},
	{"runtime.chanrecv", Receive},
	{"runtime.selectgo", Select},
	{"runtime.block", Forever},
	{"runtime.semacquire", Semaphore},
	{"time.Sleep", Sleep},
	{"internal/sync.runtime_Semacquire", Lock},
	{"sync.runtime_Semacquire", Lock},
	{"sync.runtime_notifyListWait", Cond},
	{"internal/sync.(*Mutex)", Lock},
	{"sync.(*Mutex)", Lock},
	{"sync.(*RWMutex)", Lock},
	{"sync.(*WaitGroup).Wait", WaitGroup},
	{"sync.(*Cond).Wait", Cond},
	{"internal/poll.(*FD).Read", Read},
	{"internal/poll.(*FD).Write", Write},
	{"internal/poll.(*FD).Accept", Accept},
	{"internal/poll.splice", Read},
	{"internal/poll.Splice", Read},
	{"internal/poll.SendFile", Write},
	{"net/http.(*persistConn).roundTrip", Response},
	{"net/http.(*http2ClientConn).RoundTrip", Response},
	{"net/http.(*http2ClientConn).roundTrip", Response},
	{"database/sql.(*DB).conn(", Connection},
}

// systemCalls are the functions that enter the kernel or C, by the beginning of their names.
// The goroutine's thread waits there, and the runtime starts others for other goroutines.
var systemCalls = []string{
	"syscall.Syscall", "syscall.RawSyscall", "syscall.syscall", "syscall.rawSyscall",
	"internal/runtime/syscall.", "internal/syscall/unix.", "golang.org/x/sys/unix.",
	"runtime.cgocall", "runtime.asmcgocall", "runtime.stdcall",
}

// reasonOf returns what a goroutine waits for, by its frames within the first one of
// the program, the leaf first.
func reasonOf(path []Frame, owns func(Frame) bool) Reason {
	if len(path) == 0 {
		return Running
	}
	if leaf := path[0].Function; !strings.HasPrefix(leaf, "runtime.gopark") {
		if slices.ContainsFunc(systemCalls, func(s string) bool { return strings.HasPrefix(leaf, s) }) {
			return SystemCall
		}
		return Running
	}
	rank := -1
	for _, f := range path {
		if owns(f) {
			break
		}
		for i := rank + 1; i < len(waits); i++ {
			if strings.HasPrefix(f.Function+"(", waits[i].prefix) {
				rank = i
			}
		}
	}
	if rank < 0 {
		return UnknownWait
	}
	return waits[rank].reason
}
