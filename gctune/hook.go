package gctune

import (
	"fmt"
	"time"
)

// armedHook is a hook and when it was called.
type armedHook struct {
	Hook
	called bool
	at     time.Duration
	busy   chan struct{}
}

// callHooks starts the hooks that are due. All of them are once the limit is
// given up, for the kernel may be faster than the live heap's share.
func (t *Tuner) callHooks(now *Snapshot) {
	pressed := t.state.phase == Exceeding
	for i := range t.hooks {
		h := &t.hooks[i]
		due := pressed || !h.OnExceed && now.NeedShare >= h.Share
		if !due || h.called && t.seen.now-h.at < h.Every {
			continue
		}
		select {
		case h.busy <- struct{}{}:
		default:
			continue // still at work
		}
		h.called, h.at = true, t.seen.now
		reason := fmt.Sprintf("%.0f%% of the memory limit is in use and cannot be collected", 100*now.NeedShare)
		if pressed {
			reason += ", and " + now.Reason
		}
		go t.call(h.Do, h.busy, Event{reason, *now})
	}
}

func (t *Tuner) call(do func(Event) error, busy <-chan struct{}, e Event) {
	defer func() { <-busy }()
	if err := do(e); err != nil {
		t.mu.Lock()
		t.last.HookErrors++
		t.mu.Unlock()
		t.options.log().Error("gctune: a hook failed", "error", err)
	}
}
