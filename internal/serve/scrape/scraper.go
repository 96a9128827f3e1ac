package scrape

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// Options of a Scraper. The zero value is useful but for Keep.
type Options struct {
	Schedule Schedule
	Keep     func(ctx context.Context, e store.Entry, data []byte) (store.Entry, error)
	Token    string        // bearer token for all targets
	TLS      *tls.Config   // may have a client certificate; nil is the system's
	MaxBytes int64         // the largest answer as it is sent; 0 is 16 MiB
	Timeout  time.Duration // the longest wait for an answer; 0 is 10 s
	Together int           // answers that are read at the same time; 0 is 32
	Alarm    Alarm
	Requests []string         // the counters of requests in /metrics; nil is the names in common libraries
	Now      func() time.Time // nil is time.Now
}

// Scraper asks targets on a schedule. It serves many goroutines.
type Scraper struct {
	opts   Options
	client *http.Client
	lanes  lanes

	mu      sync.Mutex
	running map[string]*process // URL → process
	wait    sync.WaitGroup
}

// process is one target that is being asked.
type process struct {
	stop context.CancelFunc

	mu     sync.Mutex
	status Status
	kept   bool // whether it is among the newest targets
	alarm  alarmState
	clock  clock
	stuck  map[string]bool // the addresses whose last answer stopped before its end
}

// NewScraper returns a scraper without targets.
func NewScraper(opts Options) *Scraper {
	opts.Schedule.setDefaults()
	if opts.MaxBytes == 0 {
		opts.MaxBytes = 16 << 20
	}
	if opts.Timeout == 0 {
		opts.Timeout = 10 * time.Second
	}
	if opts.Together == 0 {
		opts.Together = 32
	}
	opts.Alarm.setDefaults()
	if opts.Requests == nil {
		opts.Requests = usualRequests
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Scraper{opts: opts, client: newClient(opts), lanes: newLanes(opts.Together), running: map[string]*process{}}
}

// Set makes these the targets: it asks new ones until ctx ends, stops asking those that
// are gone, and leaves the others alone.
func (s *Scraper) Set(ctx context.Context, targets []Target) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.running {
		p.kept = false
	}
	for _, t := range targets {
		p := s.running[t.URL]
		if p == nil {
			ctx, stop := context.WithCancel(ctx)
			p = &process{stop: stop, status: Status{Target: t, State: New, Since: time.Now()}}
			s.running[t.URL] = p
			for _, j := range s.opts.Schedule.jobs() {
				s.wait.Go(func() { s.run(ctx, p, j) })
			}
		}
		p.mu.Lock()
		if t.Version == "" {
			t.Version = p.status.Version // the process has said so
		}
		p.status.Target, p.kept = t, true
		p.mu.Unlock()
	}
	for address, p := range s.running {
		if !p.kept {
			p.stop()
			delete(s.running, address)
		}
	}
}

// Wait waits for the end of all requests, after their context has ended.
func (s *Scraper) Wait() { s.wait.Wait() }

// Statuses returns the state of each target, by service and URL.
func (s *Scraper) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Status
	for _, p := range s.running {
		p.mu.Lock()
		all = append(all, p.status)
		p.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b Status) int {
		return strings.Compare(a.Service+" "+a.URL, b.Service+" "+b.URL)
	})
	return all
}

// run asks one target for one kind until ctx ends.
func (s *Scraper) run(ctx context.Context, p *process, j job) {
	address := p.target().URL
	for {
		now := time.Now()
		at := j.next(address, now)
		if j.kind == store.Figures {
			at = p.next(at, now)
		}
		timer := time.NewTimer(at.Sub(now))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		s.ask(ctx, p, j, false)
	}
}

// ask asks once and keeps the answer.
func (s *Scraper) ask(ctx context.Context, p *process, j job, evidence bool) {
	t := p.target()
	var err error
	if j.kind == store.Figures {
		err = s.figures(ctx, p, t)
	} else {
		err = s.profile(ctx, p, t, j, evidence)
	}
	if ctx.Err() == nil && !errors.Is(err, errNoFigures) {
		p.note(time.Now(), err)
	}
}

// errNoFigures is the error of a target that publishes no figures, which is no fault of it.
var errNoFigures = errors.New("no figures")

func (s *Scraper) profile(ctx context.Context, p *process, t Target, j job, evidence bool) error {
	address := t.URL + j.path
	if j.took > 0 {
		address += fmt.Sprintf("?seconds=%d", max(1, int(j.took.Seconds())))
	}
	at := s.opts.Now()
	return s.fetch(ctx, p, address, j.took, func(data []byte) error {
		e := p.entry(t, j.kind, at)
		e.Evidence = evidence
		return s.keep(ctx, e, data)
	})
}

func (s *Scraper) keep(ctx context.Context, e store.Entry, data []byte) error {
	_, err := s.opts.Keep(ctx, e, data)
	if err == nil || errors.Is(err, store.ErrDisk) {
		return err
	}
	return fmt.Errorf("%w: %w", errOdd, err)
}

// entry returns the entry of an answer at a time.
func (p *process) entry(t Target, kind string, at time.Time) store.Entry {
	labels := store.Labels{"instance": t.instance()}
	maps.Copy(labels, t.Labels)
	if t.Version != "" {
		labels["version"] = t.Version
	}
	e := store.Entry{Service: t.Service, Kind: kind, Labels: labels}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock.stamp(&e, at)
	return e
}

// figures asks for the figures of the process.
func (s *Scraper) figures(ctx context.Context, p *process, t Target) error {
	var all []store.Figure
	err := s.fetch(ctx, p, t.URL+"/debug/vars", 0, func(variables []byte) (err error) {
		var version string
		if all, version, err = readVariables(variables); err != nil {
			return fmt.Errorf("%w: %w", errOdd, err)
		}
		if version != "" {
			p.versioned(version)
			t = p.target()
		}
		return nil
	})
	missing := s.fetch(ctx, p, t.URL+"/metrics", 0, func(text []byte) error {
		for _, f := range readMetrics(text, s.opts.Requests) {
			if !slices.ContainsFunc(all, func(g store.Figure) bool { return g.Name == f.Name }) {
				all = append(all, f)
			}
		}
		return nil
	})
	none := len(all) == 0
	for _, err := range []error{err, missing} {
		if none && err != nil && !errors.Is(err, errOdd) {
			return err
		}
	}
	if none && t.Limit == 0 {
		return errNoFigures
	}
	if t.Limit > 0 {
		all = slices.DeleteFunc(all, func(f store.Figure) bool { return f.Name == Limit })
		all = append(all, store.Figure{Name: Limit, Value: t.Limit})
	}
	e := p.entry(t, store.Figures, s.opts.Now())
	e.Figures = all
	if err := s.keep(ctx, e, nil); err != nil {
		return err
	}
	if p.alarms(s.opts.Alarm, time.Now(), all) {
		for _, j := range s.opts.Schedule.jobs() {
			if j.kind == store.Heap || j.kind == store.Goroutine {
				s.ask(ctx, p, j, true)
			}
		}
	}
	if none {
		return errNoFigures // but for its limit, which others know
	}
	return nil
}

func (p *process) target() Target {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status.Target
}

// versioned notes the version that the process says it is, if it is one that can be kept.
func (p *process) versioned(version string) {
	if len(version) > store.MostLabel {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Version = version
}

// note notes how asking went.
func (p *process) note(now time.Time, err error) {
	state, why := Up, ""
	switch {
	case err == nil:
	case errors.Is(err, store.ErrDisk):
		state, why = Lost, err.Error()
	case errors.Is(err, errOdd):
		state, why = Odd, err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		state, why = Slow, "no whole answer in time"
	default:
		state, why = Down, err.Error()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status.State != state {
		p.status.State, p.status.Since = state, now
	}
	p.status.Why = why
	if err == nil {
		p.status.Kept++
		p.status.Last = now
	}
}
