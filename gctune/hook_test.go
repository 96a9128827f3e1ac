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
	calls, conceded := 0, 0
	o := Options{
		Hooks: []Hook{{Every: 10 * time.Second, Do: func(e Event) error {
			mu.Lock()
			defer mu.Unlock()
			calls++
			if e.At.NeedShare < 0.8 || e.Reason == "" {
				t.Errorf("event %+v", e)
			}
			return errors.New("disk full")
		}}},
		OnConcede: func(Event) { mu.Lock(); conceded++; mu.Unlock() },
	}
	tuned(t, m, o, func(tn *tuner, cycle chan<- struct{}, log *logged) {
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
		if conceded != 1 {
			t.Errorf("OnConcede was called %d times, want once", conceded)
		}
	})
}
