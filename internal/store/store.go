// Package store keeps the profiles of a fleet in a folder of this machine.
//
// Each day is one file of bbolt, whose log, crash safety and snapshots are not written
// again here. This package has only the encoding of a profile as a value. The stacks of a
// service hardly change from scrape to scrape, so each service has a dictionary of them
// for the day, and a profile is columns of numbers: the rows of the dictionary that it
// has, and the difference between each value and the value in the profile before.
//
// The stance: an append is acknowledged when it is synced, and never before. Nothing in
// a file is believed without its checksum. A damaged file costs its own day and nothing
// else, and retention removes whole files.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// Store keeps profiles and the figures of processes. It serves many goroutines.
type Store interface {
	Reader
	// Append keeps a pprof profile, or the figures of an entry if data is nil. When it
	// returns nil, the entry survives a crash of the machine. The same data at the same
	// time in the same series is kept once.
	Append(ctx context.Context, e Entry, data []byte) (Entry, error)
}

// ErrRemote is wrapped by the error of another server that keeps the profiles and fails.
var ErrRemote = errors.New("the server that keeps the profiles fails")

// Reader reads the profiles of a store. It serves many goroutines.
type Reader interface {
	// Select returns the entries of a query in the order of time.
	Select(ctx context.Context, q Query) ([]Entry, error)
	// Read returns the profile of an entry.
	Read(ctx context.Context, e Entry) (*profile.Profile, error)
	// Merge adds the profiles of a query up; see Local.Merge.
	Merge(ctx context.Context, q Query) (*profile.Profile, error)
	// Series returns the series of the days of a time.
	Series(ctx context.Context, from, to time.Time) ([]Series, error)
	// Span returns the times of the first and the last entry, zero times without one.
	Span(ctx context.Context) (first, last time.Time, err error)
	// Services returns the names of services with entries in a time.
	Services(ctx context.Context, from, to time.Time) ([]string, error)
}

// Kinds of profiles whose columns the store knows. Others are named for their first
// sample type.
const (
	CPU       = "cpu"
	Heap      = "heap"       // a snapshot: live memory, and allocations since the start
	HeapDelta = "heap-delta" // live memory, and allocations since the profile before
	Allocs    = "allocs"     // allocations during a time
	Goroutine = "goroutine"
	Figures   = "figures" // figures without a profile
	Alarm     = "alarm"   // an alarm whose profiles are on another server
)

// Labels distinguish the processes of a service: instance, version, pod.
type Labels map[string]string

// Entry describes one profile that is kept.
type Entry struct {
	Service  string
	Kind     string // "" lets Append read it from the profile
	Labels   Labels
	Time     time.Time // zero lets Append read it from the profile
	Duration time.Duration
	Evidence bool     // taken because of an alarm
	Figures  []Figure // the sums of the profile's columns, or those that were given to Append
	Size     int      // bytes in the file; 0 has no profile

	at   key
	file string // the name of the day's file; "" before it is kept
	gen  uint32
}

// Figure is a named number. Its unit follows from its name, as in "rss_bytes".
type Figure struct {
	Name  string
	Value int64
}

// Figure returns the figure of a name, and false if there is none.
func (e *Entry) Figure(name string) (int64, bool) {
	for _, f := range e.Figures {
		if f.Name == name {
			return f.Value, true
		}
	}
	return 0, false
}

// Query selects entries of one service.
type Query struct {
	Service  string
	Kind     string                                // "" is every kind; Heap is HeapDelta too
	From, To time.Time                             // [From, To)
	Labels   Labels                                // those that an entry must have
	Match    func(kind string, labels Labels) bool // nil is all; it is asked once for each series
}

func (q *Query) matches(kind string, labels Labels) bool {
	if q.Kind != "" && q.Kind != kind && (q.Kind != Heap || kind != HeapDelta) {
		return false
	}
	for name, value := range q.Labels {
		if labels[name] != value {
			return false
		}
	}
	return q.Match == nil || q.Match(kind, labels)
}
