package gctune

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestHooks(t *testing.T) {
	m := newModel()
	m.cgroup = 512 << 20
	var mu sync.Mutex
	calls, exceeded := 0, 0
	o := Options{
		Hooks: []Hook{{OnExceed: true, Do: func(Event) error {
			mu.Lock()
			defer mu.Unlock()
			exceeded++
			return nil
		}}, {Every: 10 * time.Second, Do: func(e Event) error {
			mu.Lock()
			defer mu.Unlock()
			calls++
			if e.At.NeedShare < 0.8 || e.Reason == "" {
				t.Errorf("event %+v", e)
			}
			return errors.New("disk full")
		}}},
	}
	tuned(t, m, o, func(tn *Tuner, cycle chan<- struct{}, log *logged) {
		at := func(live uint64, want int) {
			t.Helper()
			m.cycle(live)
			cycle <- struct{}{}
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if calls != want {
				t.Fatalf("live %d MiB: %d calls, want %d", live>>20, calls, want)
			}
		}
		at(300<<20, 0)
		at(450<<20, 1)
		at(300<<20, 1)
		at(450<<20, 1) // too soon
		m.now += 10 * time.Second
		at(450<<20, 2)
		if s := tn.stats(); s.HookErrors != 2 || !log.has("disk full") {
			t.Errorf("%d errors counted", s.HookErrors)
		}
		for range 4 {
			m.now += 5 * time.Second
			m.cycle(600 << 20)
			cycle <- struct{}{}
			synctest.Wait()
		}
		mu.Lock()
		defer mu.Unlock()
		if exceeded != 1 {
			t.Errorf("the hook with OnExceed was called %d times, want once", exceeded)
		}
	})
}

// TestResizeBelowTheLiveHeap defends the limit for a while, and then says once
// that it is given up.
func TestResizeBelowTheLiveHeap(t *testing.T) {
	m := newModel()
	m.cgroup = 4 << 30
	exceeded := make(chan Event, 9)
	hook := Hook{OnExceed: true, Do: func(e Event) error { exceeded <- e; return nil }}
	tuned(t, m, Options{Hooks: []Hook{hook}}, func(tn *Tuner, cycle chan<- struct{}, log *logged) {
		collect := func() {
			m.cycle(600 << 20)
			cycle <- struct{}{}
			synctest.Wait()
		}
		collect()
		m.with(func() { m.cgroup = 512 << 20 })
		collect()
		if s := tn.stats(); s.State != Defending || !log.has("near the limit or over it") || log.has("fits under the limit,") {
			t.Errorf("%s: %s", s.State, s.Reason)
		}
		const told = "the memory limit is given up"
		for resized := m.now; m.now < resized+patience; collect() {
			if len(exceeded) > 0 || log.has(told) {
				t.Errorf("%v after the resize: %s", m.now-resized, tn.stats().Reason)
			}
			m.now += tick
		}
		for range 5 { // observations are a little apart
			m.now += tick
			collect()
		}
		if len(exceeded) != 1 || log.count(told) != 1 {
			t.Errorf("told %d times, %d hooks called", log.count(told), len(exceeded))
		}
	})
}
