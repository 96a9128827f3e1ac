package gctune

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

// Start returns ErrRunning while a tuner runs. Stop returns ErrNotRunning when
// none does.
var (
	ErrRunning    = errors.New("gctune: already started: call Stop first, or start it in one place only (gctune/auto starts it on import)")
	ErrNotRunning = errors.New("gctune: not running: call Start first")
)

var (
	mu      sync.Mutex // held by Start and Stop; both may log, so Stats does without
	running atomic.Pointer[tuner]
)

// Start begins to keep the floor and the limit of this process. It returns an
// error, and changes nothing, if the options contradict each other, if a given
// limit is below the memory of the process, if GOGC is off without any limit, or
// if a tuner already runs. A floor above a control group's limit is lowered to
// fit, with a warning. Start, Stop and Stats may be called concurrently.
func Start(o Options) error {
	mu.Lock()
	defer mu.Unlock()
	if running.Load() != nil {
		return ErrRunning
	}
	o, err := o.filled()
	if err != nil {
		return err
	}
	p := newLive(os.DirFS("/"), o.Limit)
	ends := watchCycles()
	t, err := newTuner(o, p, ends.c, func() { ends.stop(); p.close() })
	if err != nil {
		ends.stop()
		p.close()
		return err
	}
	running.Store(t)
	go t.run()
	return nil
}

// Stop ends the tuner and restores GOGC and the memory limit to their values before
// Start, unless somebody else has set them meanwhile. It waits for the tuner's
// goroutine, but not for running hooks.
func Stop() error {
	mu.Lock()
	defer mu.Unlock()
	t := running.Load()
	if t == nil {
		return ErrNotRunning
	}
	t.end()
	running.Store(nil)
	return nil
}

// Stats returns the tuner's figures. If none runs, the state is "stopped".
func Stats() Snapshot {
	t := running.Load()
	if t == nil {
		return Snapshot{State: "stopped"}
	}
	return t.stats()
}
