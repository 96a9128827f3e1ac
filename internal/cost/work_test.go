package cost

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile"
)

func TestWork(t *testing.T) {
	for stack, want := range map[string]string{
		"runtime.adjustframe < runtime.copystack < runtime.newstack < main.score < main.handle.func1":                                                     "stack growth runtime.newstack",
		"runtime.lock2 < runtime.chansend < time.sendTime < runtime.(*timer).unlockAndRun < runtime.(*timers).run < runtime.findRunnable < runtime.mcall": "timers runtime.(*timers).run",
		"runtime.futex < runtime.findRunnable < runtime.schedule < runtime.park_m < runtime.mcall":                                                        "scheduling runtime.mcall",
		"internal/runtime/syscall.Syscall6 < internal/runtime/syscall.EpollWait < runtime.netpoll < runtime.findRunnable < runtime.schedule":              "scheduling runtime.schedule",
		"internal/runtime/syscall.Syscall6 < syscall.RawSyscall6 < syscall.Syscall < syscall.write < syscall.Write < internal/poll.(*FD).Write < main.f":  "system calls syscall.Write",
		"runtime.futexwakeup < runtime.goready < runtime.chansend < runtime.chansend1 < main.f":                                                           "channels runtime.chansend1",
		"runtime.memmove < internal/runtime/maps.(*table).rehash < runtime.mapassign_faststr < main.f":                                                    "map growth internal/runtime/maps.(*table).rehash",
		"internal/runtime/maps.(*table).rehash < runtime.mapassign_faststr < main.f":                                                                      "map growth internal/runtime/maps.(*table).rehash",
		"runtime.procyield < sync.runtime_SemacquireMutex < sync.(*Mutex).lockSlow < main.f":                                                              "locks sync.(*Mutex).lockSlow",
		"runtime.asmcgocall < runtime.cgocall < main._Cfunc_f < main.f":                                                                                   "cgo calls runtime.cgocall",
		"main.(*file).close < runtime.runFinalizers":                                                                                                      "finalizers runtime.runFinalizers",
		"main.f < runtime.chansend": "the program ", // a call back
		"main.f < main.main":        "the program ",
	} {
		d := dictOf(t, strings.Split(stack, " < "))
		owns := func(f profile.FunctionID) bool { return strings.HasPrefix(d.Dict.FunctionName(f), "main.") }
		kind, at := NewWorker(d.Dict).Work(d.Stacks[0], owns)
		name := ""
		if kind != Plain {
			name = d.Dict.FunctionName(at)
		}
		if got := kind.String() + " " + name; got != want {
			t.Errorf("%s is %q, want %q", stack, got, want)
		}
	}
}
