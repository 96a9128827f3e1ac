package scrape

import (
	"cmp"
	"hash/fnv"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// Schedule says how often each kind is taken. The zero value is useful.
type Schedule struct {
	Heap      time.Duration // distance of heap profiles and figures; 0 is 15 s
	CPU       time.Duration // distance of CPU profiles; 0 is 5 minutes
	Record    time.Duration // duration of a CPU profile; 0 is 5 s
	Goroutine time.Duration // distance of goroutine profiles; 0 is a minute
}

func (s *Schedule) setDefaults() {
	s.Heap = cmp.Or(s.Heap, 15*time.Second)
	s.CPU = cmp.Or(s.CPU, 5*time.Minute)
	s.Record = cmp.Or(s.Record, 5*time.Second)
	s.Goroutine = cmp.Or(s.Goroutine, time.Minute)
}

// job is one kind of answer that a target is asked for.
type job struct {
	kind  string
	path  string // below the target's root
	every time.Duration
	took  time.Duration // the answer takes so much time by itself
}

func (s *Schedule) jobs() []job {
	return []job{
		{kind: store.Heap, path: "/debug/pprof/heap", every: s.Heap},
		{kind: store.Figures, every: s.Heap},
		{kind: store.Goroutine, path: "/debug/pprof/goroutine", every: s.Goroutine},
		{kind: store.CPU, path: "/debug/pprof/profile", every: s.CPU, took: s.Record},
	}
}

// next returns the first time after now at which a job of a target is due. Each has its
// place in the interval, by its name, so that the targets are not all asked at once and
// a restart changes nothing.
func (j *job) next(target string, now time.Time) time.Time {
	h := fnv.New64a()
	h.Write([]byte(target + " " + j.kind))
	offset := time.Duration(h.Sum64() % uint64(j.every))
	at := now.Truncate(j.every).Add(offset)
	if !at.After(now) {
		at = at.Add(j.every)
	}
	return at
}
