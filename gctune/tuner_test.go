package gctune

import (
	"bytes"
	"errors"
	"log"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// tuned starts a tuner on a modelled process in a bubble of fake time.
func tuned(t *testing.T, m *model, o Options, body func(tn *Tuner, cycle chan<- struct{}, log *logged)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		log := &logged{}
		o.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o, err := o.filled()
		if err != nil {
			t.Fatal(err)
		}
		cycle := make(chan struct{})
		tn, err := newTuner(o, m, cycle, func() {})
		if err != nil {
			t.Fatal(err)
		}
		go tn.run()
		pass(tick / 2) // the test acts between two ticks
		body(tn, cycle, log)
		select {
		case <-tn.done:
		default:
			tn.end()
		}
	})
}

// pass lets fake time pass and the tuner come to rest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) has(s string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.b.String(), s)
}

func (l *logged) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), s)
}

func TestStopRestoresWhatWas(t *testing.T) {
	for _, gogc := range []int{100, 250, -1} {
		m := newModel()
		m.cgroup, m.gogc, m.limit = 1<<30, gogc, 700<<20
		tuned(t, m, Options{MinHeap: 512 << 20}, func(tn *Tuner, cycle chan<- struct{}, _ *logged) {
			if m.gogc == gogc && gogc > 0 || m.limit > 700<<20 {
				t.Errorf("after Start: GOGC %d, limit %d", m.gogc, m.limit)
			}
			m.cycle(300 << 20)
			cycle <- struct{}{}
			synctest.Wait()
		})
		if m.gogc != gogc || m.limit != 700<<20 {
			t.Errorf("after Stop: GOGC %d, limit %d; want %d, %d", m.gogc, m.limit, gogc, 700<<20)
		}
	}
}

// TestStopRestoresAfterAnyPath drives a tuner along random paths.
func TestStopRestoresAfterAnyPath(t *testing.T) {
	property(t, func(t *draws) {
		mib := func(name string, least, most int) uint64 {
			return uint64(t.intRange(least, most)) << 20
		}
		m := newModel()
		m.gogc = pick(t, -1, 0, 1, 50, 100, 400, 10_000)
		if t.bool() {
			m.limit = int64(mib("limit", 1, 4096))
		}
		if t.bool() {
			m.cgroup = mib("group", 64, 4096)
		}
		gogc, limit := m.gogc, m.limit
		o, err := Options{GOGC: pick(t, 0, 0, -1), MinHeap: int64(mib("floor", 0, 600)), Logger: quiet}.filled()
		if err != nil {
			t.Fatal(err)
		}
		tn, err := newTuner(o, m, nil, func() {})
		if unbounded := (o.GOGC < 0 || gogc < 0) && limit == math.MaxInt64 && m.cgroup == 0; err != nil && unbounded {
			return
		} else if err != nil || unbounded {
			t.Fatalf("nothing bounds the heap is %v: %v", unbounded, err)
		}
		for range t.intRange(0, 40) {
			switch t.intRange(0, 4) {
			case 0:
				m.cgroup = pick(t, 0, mib("resized", 64, 4096))
			case 1:
				m.nonGo = mib("nonGo", 0, 200)
			case 2:
				m.now += tick
			default:
				m.cycle(mib("live", 0, 600))
			}
			m.observe(&tn.seen)
			if tn.apply(); m.gogc < 0 && m.limit == math.MaxInt64 {
				t.Fatal("nothing will ever be collected")
			}
		}
		if s := tn.stats(); s.State == Yielded {
			t.Fatal("yielded to nobody")
		}
		close(tn.done)
		if tn.end(); m.gogc != gogc || m.limit != limit {
			t.Fatalf("GOGC %d, limit %d; they were %d, %d", m.gogc, m.limit, gogc, limit)
		}
	})
}

func TestDecidesAtTheCyclesEnd(t *testing.T) {
	m := newModel()
	tuned(t, m, Options{MinHeap: 1 << 30}, func(tn *Tuner, cycle chan<- struct{}, _ *logged) {
		for _, live := range []uint64{1 << 20, 200 << 20, 900 << 20, 3 << 20} {
			m.cycle(live)
			cycle <- struct{}{}
			synctest.Wait()
			if want := m.heap().goalToStartAt(1 << 30); m.goal() < want || m.goal() > max(want, 2*live)*102/100 {
				t.Errorf("live %d: goal %d, want %d", live, m.goal(), want)
			}
		}
	})
}

func TestYieldsToSomebodyElse(t *testing.T) {
	t.Run("between two observations", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		tuned(t, m, Options{MinHeap: 128 << 20}, func(tn *Tuner, _ chan<- struct{}, log *logged) {
			m.with(func() { m.gogc = 37 })
			pass(2 * tick)
			m.mu.Lock()
			defer m.mu.Unlock()
			if s := tn.stats(); s.State != Yielded || s.GOGC != 37 || !log.has("somebody else") {
				t.Errorf("stats %+v", s)
			}
			if m.limit != math.MaxInt64 {
				t.Errorf("the limit of %d was left behind", m.limit)
			}
		})
		if m.gogc != 37 || m.limit != math.MaxInt64 {
			t.Errorf("after Stop: GOGC %d, limit %d", m.gogc, m.limit)
		}
	})
	t.Run("between observing and move", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		tuned(t, m, Options{MinHeap: 128 << 20}, func(tn *Tuner, cycle chan<- struct{}, _ *logged) {
			m.cycle(400 << 20)
			m.meddling = func() { m.gogc = 41 }
			cycle <- struct{}{}
			synctest.Wait()
			if s := tn.stats(); s.State != Yielded || m.gogc != 41 {
				t.Errorf("state %s, GOGC %d", s.State, m.gogc)
			}
		})
	})
	t.Run("between observing and end", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		tuned(t, m, Options{MinHeap: 128 << 20}, func(tn *Tuner, _ chan<- struct{}, _ *logged) {
			m.with(func() { m.meddling = func() { m.gogc = 41 } })
			tn.end()
		})
		if m.gogc != 41 || m.limit != math.MaxInt64 {
			t.Errorf("after Stop: GOGC %d, limit %d", m.gogc, m.limit)
		}
	})
	t.Run("before the first move", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		m.meddling = func() { m.gogc = 41 }
		tuned(t, m, Options{MinHeap: 128 << 20}, func(tn *Tuner, _ chan<- struct{}, log *logged) {
			pass(3 * tick)
			if s := tn.stats(); s.State != Yielded || log.count("leaves both alone") != 1 {
				t.Errorf("state %s, told %d times", s.State, log.count("leaves both alone"))
			}
		})
		if m.gogc != 41 || m.limit != math.MaxInt64 {
			t.Errorf("after Stop: GOGC %d, limit %d", m.gogc, m.limit)
		}
	})
	t.Run("figures and hooks go on", func(t *testing.T) {
		m := newModel()
		m.cgroup = 512 << 20
		called := make(chan Event, 1)
		hook := Hook{Do: func(e Event) error { called <- e; return nil }}
		tuned(t, m, Options{Hooks: []Hook{hook}}, func(tn *Tuner, _ chan<- struct{}, _ *logged) {
			m.with(func() { m.gogc = 41 })
			pass(2 * tick)
			if len(called) != 0 {
				t.Error("the hook is called with memory to spare")
			}
			m.with(func() { m.nonGo, m.now = 400<<20, m.now+tick })
			pass(2 * tick)
			if s := tn.stats(); s.State != Yielded || s.NeedShare < 0.8 || len(called) != 1 {
				t.Errorf("%d calls, stats %+v", len(called), s)
			}
		})
	})
	t.Run("for a while", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		tuned(t, m, Options{MinHeap: 256 << 20}, func(_ *Tuner, _ chan<- struct{}, log *logged) {
			var gogc int
			var limit int64
			m.with(func() { gogc, m.gogc = m.gogc, -1; limit, m.limit = m.limit, 2<<30 })
			pass(2 * tick)
			m.with(func() {
				if m.gogc != -1 || m.limit != 2<<30 {
					t.Errorf("GOGC %d, limit %d while somebody else has set them", m.gogc, m.limit)
				}
				m.gogc, m.limit = gogc, limit
			})
			pass(2 * tick)
			m.with(func() {
				if m.gogc != 100 || m.limit != math.MaxInt64 || log.count("was put back") != 1 {
					t.Errorf("GOGC %d, limit %d after the tuner's own were put back", m.gogc, m.limit)
				}
				m.gogc = gogc
			})
		})
		if m.gogc != 100 {
			t.Errorf("after Stop: GOGC %d, the tuner's own", m.gogc)
		}
	})
	t.Run("for a while, between observing and move", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		tuned(t, m, Options{MinHeap: 128 << 20}, func(_ *Tuner, cycle chan<- struct{}, _ *logged) {
			gogc := m.gogc
			m.cycle(400 << 20)
			m.meddling = func() { m.gogc = 41 }
			cycle <- struct{}{}
			synctest.Wait()
			m.with(func() { m.gogc = gogc })
		})
		if m.gogc != 100 {
			t.Errorf("after Stop: GOGC %d, the tuner's own", m.gogc)
		}
	})
	t.Run("limit", func(t *testing.T) {
		m := newModel()
		m.cgroup = 1 << 30
		tuned(t, m, Options{}, func(tn *Tuner, _ chan<- struct{}, _ *logged) {
			m.with(func() { m.limit = 123 << 20 })
			pass(2 * tick)
		})
		if m.gogc != 100 || m.limit != 123<<20 {
			t.Errorf("after Stop: GOGC %d, limit %d", m.gogc, m.limit)
		}
	})
}

func TestResizeInPlace(t *testing.T) {
	m := newModel()
	m.cgroup = 1 << 30
	tuned(t, m, Options{}, func(tn *Tuner, _ chan<- struct{}, log *logged) {
		var before int64
		m.with(func() { before, m.cgroup = m.limit, 512<<20 })
		pass(2 * tick)
		m.mu.Lock()
		s := tn.stats()
		if m.limit >= before/2+32<<20 || s.Limit != 512<<20 || s.LimitsMoved != 1 || !log.has("memory limit has changed") {
			t.Errorf("limit %d after %d, stats %+v", m.limit, before, s)
		}
		m.cgroup = 0
		m.mu.Unlock()
		pass(2 * tick)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.limit != math.MaxInt64 {
			t.Errorf("limit %d with the group's gone", m.limit)
		}
	})
}

// TestGOGCOffEndsWithTheLimit takes the limit away that collections went by.
func TestGOGCOffEndsWithTheLimit(t *testing.T) {
	for found, want := range map[int]int{250: 250, -1: 100} {
		m := newModel()
		m.cgroup, m.gogc = 512<<20, found
		tuned(t, m, Options{GOGC: -1}, func(_ *Tuner, _ chan<- struct{}, log *logged) {
			const warning = "the memory limit is gone"
			if log.has(warning) {
				t.Error("warned while there is a limit")
			}
			m.with(func() { m.cgroup = 0 })
			pass(3 * tick)
			if m.goal() < m.heap().goal(want) || m.goal() > m.heap().goal(want)*102/100 || log.count(warning) != 1 {
				t.Errorf("found %d: GOGC %d, warned %d times", found, m.gogc, log.count(warning))
			}
		})
	}
}

// TestLogsToTheDefaultOfTheMoment sets slog's default after the start, as main
// does after an import of gctune/auto.
func TestLogsToTheDefaultOfTheMoment(t *testing.T) {
	defer log.SetFlags(log.Flags())
	defer log.SetOutput(log.Writer())
	defer slog.SetDefault(slog.Default())
	m, later := newModel(), &logged{}
	o, err := Options{}.filled()
	if err != nil {
		t.Fatal(err)
	}
	slog.SetDefault(quiet)
	tn, err := newTuner(o, m, nil, func() {})
	if err != nil {
		t.Fatal(err)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(later, nil)))
	m.gogc = 41
	m.observe(&tn.seen)
	tn.apply()
	if !later.has("level=WARN msg=\"gctune: somebody else has set") {
		t.Error("the warning went to the default of the start")
	}
	close(tn.done)
	tn.end()
}

func TestFollowsMemoryOutsideTheHeap(t *testing.T) {
	m := newModel()
	m.cgroup = 512 << 20
	tuned(t, m, Options{}, func(tn *Tuner, _ chan<- struct{}, _ *logged) {
		for range 10 {
			m.with(func() { m.nonGo += 10 << 20; m.now += tick })
			pass(tick)
			m.with(func() {
				if uint64(m.limit)+m.nonGo > m.cgroup {
					t.Errorf("limit %d and %d outside pass %d", m.limit, m.nonGo, m.cgroup)
				}
			})
		}
	})
}

func TestStartRefuses(t *testing.T) {
	hook := func(Event) error { return nil }
	for name, tt := range map[string]struct {
		o            Options
		option, want string
	}{
		"floor above the limit":  {Options{MinHeap: 2 << 30, Limit: 1 << 30}, "MinHeap", "lower it, or raise the limit"},
		"negative floor":         {Options{MinHeap: -1}, "MinHeap", "give 0"},
		"negative limit":         {Options{Limit: -2}, "Limit", "NoLimit"},
		"limit below the heap":   {Options{Limit: 1 << 20}, "Limit", "raise it"},
		"no bound at all":        {Options{GOGC: -1, Limit: NoLimit}, "GOGC", "set a limit, or a percentage"},
		"cap over one half":      {Options{MaxGCCPU: 0.6}, "MaxGCCPU", "at most 0.5"},
		"cap not a number":       {Options{MaxGCCPU: math.NaN()}, "MaxGCCPU", "at most 0.5"},
		"least growth too large": {Options{MinGOGC: 101}, "MinGOGC", "1 to 100"},
		"GOGC too large":         {Options{GOGC: 1 << 20}, "GOGC", "heap floor"},
		"hook without a share":   {Options{Hooks: []Hook{{Share: 1.5, Do: hook}}}, "Hooks[0].Share", "at most 1"},
		"hook without a time":    {Options{Hooks: []Hook{{Do: hook}, {Every: -1, Do: hook}}}, "Hooks[1].Every", "positive"},
		"hook without a deed":    {Options{Hooks: []Hook{{}}}, "Hooks[0].Do", "function"},
	} {
		t.Run(name, func(t *testing.T) {
			tuner, err := Start(tt.o)
			defer tuner.Stop()
			var bad *OptionError
			if !errors.As(err, &bad) || bad.Option != tt.option || !strings.Contains(bad.Reason, tt.want) {
				t.Errorf("%v; want %s and the remedy %q", err, tt.option, tt.want)
			}
		})
	}
}

func TestFloorAboveTheGroupsLimitIsCut(t *testing.T) {
	m := newModel()
	m.cgroup = 256 << 20
	tuned(t, m, Options{MinHeap: 1 << 30}, func(tn *Tuner, _ chan<- struct{}, log *logged) {
		if !log.has("is cut to fit") || m.goal() > 256<<20 {
			t.Errorf("goal %d", m.goal())
		}
	})
}
