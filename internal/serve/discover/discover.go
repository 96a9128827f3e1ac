// Package discover finds the processes to scrape: in lists, in Prometheus's files and
// URLs of targets, and by DNS.
//
// The stance: a source that fails keeps its last targets, because services do not end
// with the list of them; the page says since when it fails. One wrong entry is left out
// and named.
package discover

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// Source is a place that names targets.
type Source interface {
	// Targets returns the present targets. With an error it returns those that it could
	// read, nil if none.
	Targets(ctx context.Context) ([]scrape.Target, error)
	String() string
}

// Static are targets that do not change.
type Static []scrape.Target

// Targets implements Source.
func (s Static) Targets(context.Context) ([]scrape.Target, error) { return s, nil }

func (s Static) String() string { return fmt.Sprintf("%d targets of the settings", len(s)) }

// Status is how a source does.
type Status struct {
	Source  string
	Targets int
	Err     error     // nil if it could be read
	Since   time.Time // the beginning of the failures
}

// Watcher asks sources again and again. It serves many goroutines.
type Watcher struct {
	sources []Source

	mu     sync.Mutex
	last   [][]scrape.Target // the last targets of each source
	status []Status
}

// New returns a watcher.
func New(sources []Source) *Watcher {
	w := &Watcher{sources: sources, last: make([][]scrape.Target, len(sources)), status: make([]Status, len(sources))}
	for i, s := range sources {
		w.status[i].Source = s.String()
	}
	return w
}

// every is how often sources are asked. Prometheus reads its files and names every 30 s
// to 5 minutes.
const every = 30 * time.Second

// patience is how long a source may take.
const patience = 20 * time.Second

// Run asks the sources until the context ends, and hands all targets to set.
func (w *Watcher) Run(ctx context.Context, set func([]scrape.Target)) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		w.ask(ctx, set)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// ask asks all sources at the same time, and sets all targets whenever one of them has
// answered: a source that hangs keeps the others' targets waiting for nothing.
func (w *Watcher) ask(ctx context.Context, set func([]scrape.Target)) {
	var wait sync.WaitGroup
	var setting sync.Mutex // the newest targets are set last
	for i, s := range w.sources {
		wait.Go(func() {
			within, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			targets, err := s.Targets(within)
			if ctx.Err() == nil {
				w.note(i, targets, err)
				setting.Lock()
				defer setting.Unlock()
				set(w.targets())
			}
		})
	}
	wait.Wait()
}

// targets returns the last targets of all sources. A process that two of them name is the
// first one's.
func (w *Watcher) targets() (all []scrape.Target) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[string]bool{}
	for _, targets := range w.last {
		for _, t := range targets {
			if !seen[t.URL] {
				seen[t.URL] = true
				all = append(all, t)
			}
		}
	}
	return all
}

func (w *Watcher) note(i int, targets []scrape.Target, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &w.status[i]
	if err == nil || targets != nil {
		w.last[i] = targets
	}
	if err != nil && s.Err == nil {
		s.Since = time.Now()
	}
	s.Err, s.Targets = err, len(w.last[i])
}

// Statuses returns how the sources do.
func (w *Watcher) Statuses() []Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Status(nil), w.status...)
}

// mostTargets bounds the targets of one source.
const mostTargets = 10_000

var errTooMany = errors.New("more than 10,000 targets")
