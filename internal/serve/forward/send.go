package forward

import (
	"context"
	"errors"
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

const (
	// firstWait and longestWait are the waits after a push that failed; each is twice the one
	// before.
	firstWait   = time.Second
	longestWait = time.Minute
	// pushTime is how long one push may take.
	pushTime = 30 * time.Second
	// mostTogether and largestPush bound a push. A Pyroscope refuses a push that inflates to
	// more than 2 MB by default, and profiles are compressed to about a tenth.
	mostTogether = 64
	largestPush  = 200 << 10
	// moreTogether is how many more profiles the next push has after one that succeeded.
	moreTogether = 4
	// mostAttempts is how often one profile is pushed alone before others are tried.
	mostAttempts = 8
)

// Run sends the profiles of the queue until the context ends.
func (s *Store) Run(ctx context.Context) {
	r := run{Store: s, together: mostTogether}
	wait := firstWait
	for ctx.Err() == nil {
		more, err := r.push(ctx)
		if ctx.Err() != nil {
			return
		}
		s.note(err)
		var again <-chan time.Time
		var added <-chan struct{}
		switch {
		case err != nil:
			again, wait = time.After(wait), min(2*wait, longestWait)
		case more:
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
	together int // how many profiles the next push may have
	attempts int // how often one profile was pushed alone
}

// push sends the oldest profiles, and reports whether there may be more to send now. Its error
// is one that another attempt may end.
func (r *run) push(ctx context.Context) (more bool, err error) {
	head, err := r.queue.Head(r.together, largestPush)
	if err != nil || len(head) == 0 {
		return false, err
	}
	var message []byte
	for _, one := range head {
		message = append(message, one.Value...)
	}
	within, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	err = r.Push(within, message)
	final := errors.Is(err, ErrTime) || errors.Is(err, ErrRefused)
	switch {
	case err == nil:
		r.together, r.attempts = min(r.together+moreTogether, mostTogether), 0
		r.mu.Lock()
		r.sent += int64(len(head))
		r.mu.Unlock()
		return true, r.queue.Remove(head, "")
	case len(head) > 1: // one of them may be the cause
		r.together = max(1, r.together/2)
		if final {
			return true, nil
		}
		return false, err
	case final:
		r.attempts = 0
		reason := ErrRefused
		if errors.Is(err, ErrTime) {
			reason = ErrTime
		}
		r.log.Warn("a profile is not kept", "error", err)
		return true, r.queue.Remove(head, reason.Error())
	}
	// Profiles behind one that always fails must not wait for it.
	if r.attempts++; r.attempts >= mostAttempts {
		r.attempts = 0
		return false, errors.Join(err, r.last(head))
	}
	return false, err
}

// last moves profiles to the end of the queue.
func (r *run) last(head []store.QueueItem) error {
	for _, one := range head {
		if err := r.queue.Push(one.Value); err != nil {
			return err
		}
	}
	return r.queue.Remove(head, "")
}
