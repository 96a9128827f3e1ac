package collect

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/result"
)

// Event is one step: a second of a recording, or a file that was saved. Missing parts
// are in the document.
type Event struct {
	Type      string        // "heap", "cpu" …
	File      string        // where it was saved, in the plan's folder
	Recording time.Duration // how long it will be recorded; 0 for a file
	Elapsed   time.Duration // how much of Recording is over
}

// Progress returns the state of a recording, in seconds.
func (e Event) Progress() result.Progress {
	seconds := func(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
	return result.Progress{
		Phase: result.Record, Done: seconds(e.Elapsed), Total: seconds(e.Recording), ETA: e.Recording - e.Elapsed,
		Doing: fmt.Sprintf("%s for %v", strings.ReplaceAll(e.Type, "cpu", "CPU"), e.Recording),
	}
}

// count tells of each second of a recording until stop is called.
func (c *collector) count(k kind, recording time.Duration) (stop func()) {
	began := time.Now()
	c.tell(Event{Type: k.name, Recording: recording})
	done := make(chan struct{})
	var counting sync.WaitGroup
	counting.Go(func() {
		second := time.NewTicker(time.Second)
		defer second.Stop()
		for {
			select {
			case <-done:
				return
			case <-second.C:
				if elapsed := time.Since(began).Truncate(time.Second); elapsed < recording {
					c.tell(Event{Type: k.name, Recording: recording, Elapsed: elapsed})
				}
			}
		}
	})
	return func() {
		close(done)
		counting.Wait()
		if time.Since(began) >= recording {
			c.tell(Event{Type: k.name, Recording: recording, Elapsed: recording})
		}
	}
}
