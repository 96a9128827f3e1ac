// Package forward sends the profiles of serve to a Pyroscope, which keeps them.
//
// The stance: a profile is acknowledged when it is in a queue on disk. The Pyroscope may be
// slow, full or away; profiles wait in the queue, beyond its size the oldest are dropped, and
// whatever does not arrive is counted. A profile may arrive twice if a crash or a lost answer
// hides that it has arrived.
package forward

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// Remote is the server that keeps the profiles.
type Remote interface {
	store.Reader
	// Push sends a message of push.v1. It may take the same message again after an error.
	Push(ctx context.Context, message []byte) error
	String() string
}

// Store sends profiles on and reads them back. A Pyroscope takes no figures of processes and
// no alarms, so those are kept here. It serves many goroutines.
type Store struct {
	Remote
	local  *store.Local
	queue  *store.Queue
	growth growth
	turns  chan struct{} // profiles that are decoded
	log    *slog.Logger

	mu      sync.Mutex
	sent    int64
	failing error
	since   time.Time
}

// mostDecoded is how many profiles are decoded at the same time. Each takes a core, and memory
// for up to three profiles.
const mostDecoded = 2

// New returns a store with the figures in local and profiles in remote.
func New(local *store.Local, queue *store.Queue, remote Remote, log *slog.Logger) *Store {
	return &Store{Remote: remote, local: local, queue: queue, log: log, turns: make(chan struct{}, mostDecoded)}
}

// Status is the state of forwarding.
type Status struct {
	store.QueueStats
	Sent  int64     // profiles that arrived since the start
	Err   error     // why the last attempt failed; nil if it did not
	Since time.Time // the beginning of the failures
}

// Status returns the state of forwarding.
func (s *Store) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{QueueStats: s.queue.Stats(), Sent: s.sent, Err: s.failing, Since: s.since}
}

// Append implements store.Store. A profile is acknowledged when it is in the queue.
func (s *Store) Append(ctx context.Context, e store.Entry, data []byte) (store.Entry, error) {
	if data == nil {
		return s.local.Append(ctx, e, nil)
	}
	message, err := s.convert(ctx, &e, data)
	if err != nil {
		return e, err
	}
	if err := s.queue.Push(message); err != nil || !e.Evidence || e.Kind != store.Heap {
		return e, err
	}
	mark := store.Entry{Service: e.Service, Kind: store.Alarm, Labels: e.Labels, Time: e.Time, Evidence: true}
	_, err = s.local.Append(ctx, mark, nil)
	return e, err
}

// convert completes an entry, and makes a message of it and its profile.
func (s *Store) convert(ctx context.Context, e *store.Entry, data []byte) ([]byte, error) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p, err := s.local.Decode(e, data)
	if err == nil && e.Kind == store.Heap {
		p, err = s.growth.since(identity(e), p, data)
	}
	if err != nil {
		return nil, err
	}
	p.TimeNanos = e.Time.UnixNano()
	e.Duration = time.Duration(max(0, p.DurationNanos))
	return message(e, p)
}

// Select implements store.Reader.
func (s *Store) Select(ctx context.Context, q store.Query) (all []store.Entry, err error) {
	here := q.Kind == store.Figures || q.Kind == store.Alarm
	if !here {
		if all, err = s.Remote.Select(ctx, q); err != nil {
			return nil, err
		}
	}
	if here || q.Kind == "" {
		figures, err := s.local.Select(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	slices.SortStableFunc(all, func(a, b store.Entry) int { return a.Time.Compare(b.Time) })
	return all, nil
}

// Series implements store.Reader.
func (s *Store) Series(ctx context.Context, from, to time.Time) ([]store.Series, error) {
	profiles, err := s.Remote.Series(ctx, from, to)
	if err != nil {
		return nil, err
	}
	figures, err := s.local.Series(ctx, from, to)
	return append(profiles, figures...), err
}

// Close closes the queue. The next process sends its profiles.
func (s *Store) Close() error { return s.queue.Close() }
