package gctune

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

// ErrRunning is returned by Start while a tuner runs.
var ErrRunning = errors.New("gctune: already started: start it in one place only (gctune/auto starts it on import), or stop the other tuner first")

var (
	mu      sync.Mutex // held by Start and Stop; both may log, so Stats does without
	running atomic.Pointer[Tuner]
)

// Start begins to keep the floor and the limit of this process, until the returned
// Tuner is stopped. It returns [ErrRunning] if a tuner already runs, and an
// [*OptionError] if an option's value is out of range, contradicts another option, or
// does not fit the process. Then it changes nothing, and the Tuner is nil. A floor
// above a control group's limit is lowered to fit, with a warning.
//
// Start, Stop and Stats may be called concurrently.
func Start(o Options) (*Tuner, error) {
	mu.Lock()
	defer mu.Unlock()
	if running.Load() != nil {
		return nil, ErrRunning
	}
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	p := newLive(os.DirFS("/"), o.Limit)
	ends := watchCycles()
	t, err := newTuner(o, p, ends.c, func() { ends.stop(); p.close() })
	if err != nil {
		ends.stop()
		p.close()
		return nil, err
	}
	running.Store(t)
	go t.run()
	return t, nil
}

// Stop ends the tuner and restores GOGC and the memory limit to their values before
// Start, unless somebody else has set them meanwhile. It waits for the tuner's
// goroutine, but not for running hooks. A nil Tuner, and one that was stopped before,
// have nothing to stop.
func (t *Tuner) Stop() {
	mu.Lock()
	defer mu.Unlock()
	if t == nil || t != running.Load() {
		return
	}
	t.end()
	running.Store(nil)
}

// Stats returns the figures of the tuner that runs in this process, whoever started
// it. If none runs, the state is [Stopped].
func Stats() Snapshot {
	t := running.Load()
	if t == nil {
		return Snapshot{}
	}
	return t.stats()
}
