package forward

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// Errors of a push that another attempt does not change. Profiles are counted as lost by their
// text, beside store.Full and store.Damaged.
var (
	// ErrTime is wrapped by the error of a profile that is older or newer than the server takes.
	ErrTime = errors.New("older or newer than the server takes")
	// ErrRefused is wrapped by the error of a profile that the server refuses for another reason.
	ErrRefused = errors.New("refused by the server")
)

// Stuck is the reason for profiles that failed for an hour while others arrived.
const Stuck = "failed for an hour, while others arrived"

const (
	// firstWait and longestWait are the waits after pushes that failed; each is twice the one
	// before.
	firstWait   = time.Second
	longestWait = time.Minute
	// pushTime is how long one push may take.
	pushTime = 30 * time.Second
	// mostTogether and largestTogether bound the pushes at the same time. A Pyroscope answers
	// when a segment is written, which is every half second.
	mostTogether    = 32
	largestTogether = 16 << 20
	// mostAttempts is how often a profile is pushed before others have their turn.
	mostAttempts = 8
	// patience is how long a profile that fails while others arrive is kept. An older one would
	// be refused for its age.
	patience = time.Hour
)

// Run sends the profiles of the queue until the context ends.
func (s *Store) Run(ctx context.Context) {
	r := run{Store: s, failures: map[string]int{}}
	wait := firstWait
	for ctx.Err() == nil {
		sent, failed, err := r.round(ctx)
		if ctx.Err() != nil {
			return
		}
		s.note(err)
		var again <-chan time.Time
		var added <-chan struct{}
		switch {
		case err != nil:
			again, wait = time.After(wait), min(2*wait, longestWait)
		case failed > 0:
			again, wait = time.After(firstWait), firstWait
		case sent > 0:
			wait = firstWait
			continue
		default:
			added = s.queue.Added()
		}
		select {
		case <-ctx.Done():
		case <-again:
		case <-added:
		}
	}
}

// note notes how a push went, and logs the first failure and the end of failures.
func (s *Store) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil && s.failing == nil:
		s.since = time.Now()
		s.log.Error("forwarding profiles; trying again", "error", err)
	case err == nil && s.failing != nil:
		s.log.Info("profiles are forwarded again")
	}
	s.failing = err
}

// run is the state of Run.
type run struct {
	*Store
	failures map[string]int // key of a profile → how often it failed
}

// round pushes the oldest profiles, each by itself: of a message with several, a Pyroscope may
// keep some and answer an error. It returns how many left the queue, and how many failed for
// now. The error is the queue's, or a push's if all failed.
func (r *run) round(ctx context.Context) (sent, failed int, err error) {
	head, err := r.queue.Head(mostTogether, largestTogether)
	if err != nil || len(head) == 0 {
		return 0, 0, err
	}
	within, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	errs := make([]error, len(head))
	var pushes sync.WaitGroup
	for i, one := range head {
		pushes.Go(func() { errs[i] = r.Push(within, one.Value) })
	}
	pushes.Wait()
	if ctx.Err() != nil {
		return 0, 0, ctx.Err()
	}
	ends := map[string][]store.QueueItem{} // reason → profiles that leave the queue for it
	var failing []store.QueueItem
	for i, one := range head {
		switch {
		case errs[i] == nil:
			ends[""] = append(ends[""], one)
		case errors.Is(errs[i], ErrTime):
			ends[ErrTime.Error()] = append(ends[ErrTime.Error()], one)
		case errors.Is(errs[i], ErrRefused):
			r.log.Warn("a profile is not kept", "error", errs[i])
			ends[ErrRefused.Error()] = append(ends[ErrRefused.Error()], one)
		default:
			failing, err = append(failing, one), errs[i]
			continue
		}
		delete(r.failures, one.Key)
		sent++
	}
	if sent > 0 {
		err = nil
	}
	late, stuck := r.tired(failing, sent > 0)
	ends[Stuck] = stuck
	for reason, all := range ends {
		if len(all) > 0 {
			err = errors.Join(err, r.queue.Remove(all, reason))
		}
	}
	r.mu.Lock()
	r.sent += int64(len(ends[""]))
	r.mu.Unlock()
	if len(late) > 0 {
		err = errors.Join(err, r.queue.Later(late))
	}
	return sent, len(failing), err
}

// tired returns the profiles that have failed so often that others have their turn, and those
// that are given up.
func (r *run) tired(failing []store.QueueItem, othersArrive bool) (late, stuck []store.QueueItem) {
	for _, one := range failing {
		if r.failures[one.Key]++; r.failures[one.Key] < mostAttempts {
			continue
		}
		delete(r.failures, one.Key)
		if othersArrive && time.Since(one.Came) > patience {
			stuck = append(stuck, one)
		} else {
			late = append(late, one)
		}
	}
	return late, stuck
}
