package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const scorer = `package main

import (
	"os"
	"runtime"
	"time"
)

func score(depth int) int {
	if depth == 0 {
		return 1
	}
	return score(depth-1) + 1
}

func handle(jobs []int, out chan int) {
	go func() { println("first") }()
	for range jobs {
		go func() {
			out <- score(40)
		}()
	}
}

func poll() *time.Ticker {
	return time.NewTicker(time.Millisecond)
}

func record(f *os.File, b byte) {
	f.Write([]byte{b})
}

func stack() (all []uintptr) {
	for i := 0; ; i++ {
		pc, _, _, ok := runtime.Caller(i)
		if !ok {
			return all
		}
		all = append(all, pc)
	}
}

func main() {}
`

// works is a program that takes 60 of 100 samples of CPU time in the stack.
func works(t *testing.T, stack func(*scene) string) *scene {
	s := newScene(t, scorer)
	s.cpu = profiletest.NewCPU().CPU(2, profiletest.Worker).CPU(38, start).CPU(60, stack(s))
	return s
}

func TestRuntimeWork(t *testing.T) {
	t.Run("stack growth", func(t *testing.T) {
		f := works(t, func(s *scene) string {
			return "runtime.copystack@/go/src/runtime/stack.go:1 runtime.newstack@/go/src/runtime/stack.go:2 " +
				s.frame("score", "return score(depth-1)") + s.frame("handle.func2", "out <- score(40)")
		}).wants("runtime-work", "go func() {\n")
		has(t, f.Title, "stack growth: 60% of the CPU time")
		has(t, f.Remedy, "main.score (main.go:13) needs the stack")
		has(t, f.Remedy, "long-lived workers")
	})
	const fires = "runtime.chansend@/go/src/runtime/chan.go:1 time.sendTime@/go/src/time/sleep.go:1 runtime.(*timers).run@/go/src/runtime/time.go:1 " +
		"runtime.findRunnable@/go/src/runtime/proc.go:1 runtime.mcall@/go/src/runtime/asm.s:1"
	t.Run("timers of the source", func(t *testing.T) {
		f := works(t, func(*scene) string { return fires }).wants("runtime-work", "return time.NewTicker")
		has(t, f.Title, "timers: 60%")
	})
	t.Run("timers without source", func(t *testing.T) {
		f := works(t, func(*scene) string { return fires }).without().wants("runtime-work", "")
		has(t, f.Evidence[0].Name, "runtime.(*timers).run")
	})
	t.Run("file", func(t *testing.T) {
		f := works(t, func(s *scene) string {
			return "syscall.write@/go/src/syscall/x.go:1 os.(*File).Write@/go/src/os/file.go:1 " + s.frame("record", "f.Write") + start
		}).wants("runtime-work", "f.Write")
		has(t, f.Remedy, "bufio.Writer")
	})
	t.Run("stack by frames", func(t *testing.T) {
		f := works(t, func(s *scene) string {
			return "runtime.Caller@/go/src/runtime/extern.go:1 " + s.frame("stack", "runtime.Caller(i)") + start
		}).wants("runtime-work", "runtime.Caller(i)")
		has(t, f.Remedy, "runtime.CallersFrames")
	})
	t.Run("C", func(t *testing.T) {
		works(t, func(s *scene) string {
			return "runtime.cgocall@/go/src/runtime/cgocall.go:1 main._Cfunc_parse@_cgo_gotypes.go:9 " + s.frame("record", "f.Write") + start
		}).wants("runtime-work", "f.Write")
	})
	t.Run("channel", func(t *testing.T) {
		works(t, func(s *scene) string {
			return "runtime.chansend1@/go/src/runtime/chan.go:1 " + s.frame("handle.func2", "out <- score(40)")
		}).wants("runtime-work", "out <- score(40)")
	})
}

func TestRuntimeWorkOfHealthyPrograms(t *testing.T) {
	for name, stack := range map[string]func(*scene) string{
		"scheduling": func(*scene) string {
			return "runtime.futex@/go/src/runtime/os.go:1 runtime.findRunnable@/go/src/runtime/proc.go:1 runtime.mcall@/go/src/runtime/asm.s:1"
		},
		"a server's network": func(s *scene) string {
			return "syscall.write@/go/src/syscall/x.go:1 internal/poll.(*FD).Write@/go/src/internal/poll/fd.go:1 net.(*conn).Write@/go/src/net/net.go:1 " +
				s.frame("record", "f.Write") + start
		},
		"maps": func(s *scene) string {
			return "runtime.mapaccess1@/go/src/runtime/map.go:1 " + s.frame("record", "f.Write") + start
		},
	} {
		t.Run(name, func(t *testing.T) { works(t, stack).wantsNone("runtime-work") })
	}
	t.Run("nearly idle", func(t *testing.T) {
		s := newScene(t, scorer)
		s.cpu = profiletest.NewCPU().CPU(10, start).CPU(20, "runtime.newstack@/go/src/runtime/stack.go:2 "+s.frame("score", "return score")+start)
		s.wantsNone("runtime-work")
	})
}
