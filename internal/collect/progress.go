package collect

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/result"
)

// Event is one step: a second of a recording or of waiting for an answer, or a file
// that was saved. Missing parts are in the document.
type Event struct {
	Type      string        // "heap", "cpu" …
	File      string        // the saved file in the plan's folder; "" for the other steps
	Recording time.Duration // how long it will be recorded; 0 for a file
	Elapsed   time.Duration // how much of Recording is over
	Patience  time.Duration // how late an answer may be; 0 for the other steps
	Late      time.Duration // how much of Patience is over
}

// Progress returns the state of a recording or of waiting, in seconds.
func (e Event) Progress() result.Progress {
	seconds := func(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
	if e.Patience > 0 {
		return result.Progress{
			Phase: result.Record, Done: seconds(e.Late), Total: seconds(e.Patience), ETA: e.Patience - e.Late,
			Doing: "waiting for " + strings.ReplaceAll(e.Type, "cpu", "CPU"),
		}
	}
	return result.Progress{
		Phase: result.Record, Done: seconds(e.Elapsed), Total: seconds(e.Recording), ETA: e.Recording - e.Elapsed,
		Doing: fmt.Sprintf("%s for %v", strings.ReplaceAll(e.Type, "cpu", "CPU"), e.Recording),
	}
}

// count reports each second of a recording until stop is called.
func (c *collector) count(k kind, recording time.Duration) (stop func()) {
	began := time.Now()
	c.tell(Event{Type: k.name, Recording: recording})
	end := c.eachSecond(time.Second, func() bool {
		elapsed := time.Since(began).Truncate(time.Second)
		if elapsed >= recording {
			return false // the answer is late now
		}
		c.tell(Event{Type: k.name, Recording: recording, Elapsed: elapsed})
		return true
	})
	return func() {
		end()
		if time.Since(began) >= recording {
			c.tell(Event{Type: k.name, Recording: recording, Elapsed: recording})
		}
	}
}

// unremarkable is the delay of an answer that nobody has to hear of.
const unremarkable = 2 * time.Second

// waiting reports each second in which an answer is late, until stop is called. With
// several late answers it reports one, and none while a recording is counted.
func (c *collector) waiting(k kind, recording, patience time.Duration) (stop func()) {
	due := time.Now().Add(recording)
	return c.eachSecond(recording+unremarkable, func() bool {
		c.tell(Event{Type: k.name, Patience: patience, Late: time.Since(due).Truncate(time.Second)})
		return true
	})
}

// eachSecond calls show after a first delay and then each second, until it returns false
// or stop is called. Of several requests, one at a time is shown.
func (c *collector) eachSecond(first time.Duration, show func() bool) (stop func()) {
	done := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() {
		if first := time.NewTimer(first); !reached(first.C, done) {
			first.Stop()
			return
		}
		select {
		case <-done:
			return
		case c.showing <- struct{}{}:
		}
		defer func() { <-c.showing }()
		second := time.NewTicker(time.Second)
		defer second.Stop()
		for show() && reached(second.C, done) {
		}
	})
	return func() {
		close(done)
		showing.Wait()
	}
}

// reached waits for a time, and reports false if done is closed before.
func reached(at <-chan time.Time, done <-chan struct{}) bool {
	select {
	case <-done:
		return false
	case <-at:
		return true
	}
}
