package gctune

import (
	"fmt"
	"time"
)

// armed is a hook and when it was called.
type armed struct {
	Hook
	called bool
	at     time.Duration
	busy   chan struct{}
}

// callHooks starts the hooks that are due: a rise that no longer fits calls
// all of them, for once the limit is given up the kernel may be faster.
func (t *tuner) callHooks(was *state, now *Snapshot) {
	pressed := t.state.pressed || t.state.posture == conceding
	for i := range t.hooks {
		h := &t.hooks[i]
		if now.NeedShare < h.Share && !pressed || h.called && t.seen.now-h.at < h.Every {
			continue
		}
		select {
		case h.busy <- struct{}{}:
		default:
			continue // still at work
		}
		h.called, h.at = true, t.seen.now
		reason := fmt.Sprintf("%.0f %% of the memory limit is in use and cannot be collected", 100*now.NeedShare)
		if pressed {
			reason += ", and " + now.Reason
		}
		go t.call(h.Do, h.busy, Event{reason, *now})
	}
	if f := t.options.OnConcede; f != nil && t.state.posture == conceding && was.posture != conceding {
		go f(Event{now.Reason, *now})
	}
}

func (t *tuner) call(do func(Event) error, busy <-chan struct{}, e Event) {
	defer func() { <-busy }()
	if err := do(e); err != nil {
		t.mu.Lock()
		t.last.HookErrors++
		t.mu.Unlock()
		t.options.log().Error("gctune: a hook failed", "error", err)
	}
}
