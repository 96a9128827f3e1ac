package diagnose

import (
	"fmt"
	"testing"
)

const leaks = `package main

func work() int { return 1 }

func ask() {
	out := make(chan int)
	go func() {
		out <- work()
	}()
}

func main() {}
`

// wait adds goroutine profiles a minute apart.
func (s *scene) wait(frame string, counts ...int64) *scene {
	for i, n := range counts {
		m := newMade("goroutine/count")
		m.TimeNanos = (1_700_000_000 + int64(60*i)) * 1e9
		s.waits = append(s.waits, m.add("runtime.gopark@/go/src/runtime/proc.go:1 runtime.chansend1@/go/src/runtime/chan.go:1 "+
			frame+"runtime.goexit@/go/src/runtime/asm.s:1", n).
			add("main.main@ex.com/x/main.go:1 runtime.main@/go/src/runtime/proc.go:1", 1))
	}
	return s
}

func TestGoroutineLeak(t *testing.T) {
	for i, counts := range [][]int64{{100, 200, 300}, {5000}} {
		t.Run(fmt.Sprint(counts), func(t *testing.T) {
			s := newScene(t, leaks)
			s.wait(s.frame("ask.func1", "out <- work()"), counts...)
			f := s.wants("goroutine-leak", "out <- work()")
			has(t, f.Title, "goroutines wait here")
			if (f.Confidence == High) != (i == 0) {
				t.Errorf("%s", f.Confidence)
			}
		})
	}
	for _, counts := range [][]int64{{300, 300, 300}, {300, 200, 400}, {200}, {10, 20, 40}} {
		t.Run(fmt.Sprint("no leak ", counts), func(t *testing.T) {
			s := newScene(t, leaks)
			s.wait(s.frame("ask.func1", "out <- work()"), counts...)
			s.wantsNone("goroutine-leak")
		})
	}
}
