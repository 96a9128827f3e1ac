package rules

import (
	"strings"
	"testing"
)

const timers = `package main

import "time"

func wait(in chan int) {
	for {
		select {
		case <-in:
		case <-time.After(time.Second):
		}
	}
}

func main() {}
`

func TestTimer(t *testing.T) {
	s := newScene(t, timers)
	s.churn("time.After", s.frame("wait", "time.After"))
	has(t, s.wants("timer", "time.After").Example, "Reset")
}

const tickers = `package main

import "time"

type task struct{ ends time.Time }

func (t *task) alive() bool { return time.Now().Before(t.ends) }

func wait(t *task, done chan bool) {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if !t.alive() {
				return
			}
		}
	}
}

func main() {
	for {
		go wait(&task{}, nil)
	}
}
`

// Before Go 1.23 in go.mod, tickers that are not stopped stay.
func TestUnstoppedTicker(t *testing.T) {
	for language, want := range map[string]bool{"1.21": true, "1.23": false} {
		t.Run(language, func(t *testing.T) {
			s := newScene(t, tickers)
			s.language = language
			s.heaps[0].Heap(1e6, 1e6, "time.NewTicker@/go/src/time/tick.go:1 "+s.frame("wait", "time.NewTicker")+"runtime.goexit@/go/src/runtime/asm.s:1")
			if !want {
				s.wantsNone("unstopped-ticker")
				return
			}
			f := s.wants("unstopped-ticker", "time.NewTicker")
			has(t, f.Remedy, "main.go:14 leaves without Stop")
			has(t, f.Remedy, "go.mod has go 1.21")
		})
	}
	t.Run("stopped", func(t *testing.T) {
		s := newScene(t, strings.Replace(tickers, "\tfor {\n\t\tselect", "\tdefer tick.Stop()\n\tfor {\n\t\tselect", 1))
		s.language = "1.21"
		s.heaps[0].Heap(1e6, 1e6, "time.NewTicker@/go/src/time/tick.go:1 "+s.frame("wait", "time.NewTicker")+"runtime.goexit@/go/src/runtime/asm.s:1")
		s.wantsNone("unstopped-ticker")
	})
}
