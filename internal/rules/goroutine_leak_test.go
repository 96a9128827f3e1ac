package rules

import (
	"fmt"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
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
		m := profiletest.New("goroutine/count")
		m.TimeNanos = (1_700_000_000 + int64(60*i)) * 1e9
		s.waits = append(s.waits, m.Add("runtime.gopark@/go/src/runtime/proc.go:1 runtime.chansend1@/go/src/runtime/chan.go:1 "+
			frame+"runtime.goexit@/go/src/runtime/asm.s:1", n).
			Add("main.main@ex.com/x/main.go:1 runtime.main@/go/src/runtime/proc.go:1", 1))
	}
	return s
}

func TestGoroutineLeak(t *testing.T) {
	for _, test := range []struct {
		counts []int64
		sure   evidence.Confidence
	}{{[]int64{100, 200, 300}, evidence.High}, {[]int64{5000}, evidence.Medium}, {[]int64{100_000, 99_990}, evidence.Low}} {
		for _, sampled := range []bool{false, true} {
			t.Run(fmt.Sprint(test.counts, sampled), func(t *testing.T) {
				s := newScene(t, leaks)
				s.wait(s.frame("ask.func1", "out <- work()"), test.counts...)
				if sampled {
					s.heaps[0].Heap(1e4, 1e4, start)
				}
				f := s.wants("goroutine-leak", "out <- work()")
				has(t, f.Title, "goroutines send to out, from which main.go:10 no longer receives")
				if f.Confidence != test.sure {
					t.Errorf("%s", f.Confidence)
				}
				// A goroutine profile does not give their share of the live heap.
				if (f.Memory.High > 0) != sampled {
					t.Errorf("%+v", f.Memory)
				}
			})
		}
	}
	t.Run("leak profile", func(t *testing.T) {
		s := newScene(t, leaks)
		frame := s.frame("ask.func1", "out <- work()")
		s.wait(frame, 200)
		s.waits = append(s.waits, profiletest.New("goroutineleak/count").
			Add("runtime.gopark@/go/src/runtime/proc.go:1 runtime.chansend1@/go/src/runtime/chan.go:1 "+frame+"runtime.goexit@/go/src/runtime/asm.s:1", 190))
		f := s.wants("goroutine-leak", "out <- work()")
		has(t, f.Title, "200 goroutines send to out")
		if f.Confidence != evidence.High {
			t.Errorf("%s", f.Confidence)
		}
	})
	for _, counts := range [][]int64{{300, 300, 300}, {300, 200, 400}, {200}, {4, 8, 16}, {5000, 2000}} {
		t.Run(fmt.Sprint("no leak ", counts), func(t *testing.T) {
			s := newScene(t, leaks)
			s.wait(s.frame("ask.func1", "out <- work()"), counts...)
			s.wantsNone("goroutine-leak")
		})
	}
}

// Memory whose holder is not known was allocated through the library whose goroutines pile up: they
// may hold it, and go first.
func TestLeakMayHoldWhatGrows(t *testing.T) {
	s := newScene(t, leaks)
	const file = "@/go/pkg/mod/ex.org/rpc@v1.0.0/stream.go:"
	s.wait("ex.org/rpc.(*stream).watch"+file+"10 ex.org/rpc.Open.func1"+file+"20 ", 10, 100, 200, 300)
	open := "ex.org/rpc.Open" + file + "15 " + s.frame("ask", "out := make(") + start
	s.heaps = nil
	serve := "net/http.(*conn).serve@/go/src/net/http/server.go:1"
	path := "ex.org/rpc.encode" + file + "5 " + s.frame("work", "return 1") + serve
	for i := range int64(5) {
		n := 1e5 * (i + 1)
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n*3/2, n, path).Heap(6e5, 6e5, open))
	}
	first := s.find()[0]
	if first.Rule != "goroutine-leak" || first.Memory.High < 0.9 {
		t.Errorf("%s, %+v", describe(first), first.Memory)
	}
}
