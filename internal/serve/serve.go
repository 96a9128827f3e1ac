// Package serve watches a fleet of services: it scrapes and keeps their profiles, judges
// each service over a window of time, and ranks the possible savings.
//
// The stance: diagnose makes the findings, and the amounts are ranges, because a profile
// is a sample. A target, a profile or a day that cannot be read is shown, and
// stops nothing else.
package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve/alert"
	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Options of a server. The zero value is useful but for Dir.
type Options struct {
	Dir      string // the folder of the store
	Tenant   string // "" is who runs the server
	Store    store.Options
	From     forward.Remote    // another server that keeps the profiles; nil keeps them in Dir
	Queue    int64             // the size in bytes of profiles that wait for From; 0 is 1 GiB
	Sources  []discover.Source // places that name targets
	Schedule scrape.Schedule
	Alarm    scrape.Alarm
	Token    string        // bearer token for scraping
	TLS      *tls.Config   // certificates for scraping; nil is the system's
	Requests []string      // the targets' counters of requests; nil is the names in common libraries
	Window   time.Duration // the last so much time is judged; 0 is an hour
	Judge    time.Duration // the interval of judgements; 0 is 2 minutes
	Rates    Rates
	Alerts   Alerts
	Judging  *sync.Mutex  // held while a service is judged; nil is one of its own
	Log      *slog.Logger // nil is slog.Default
}

// Alerts says where alarms are sent.
type Alerts struct {
	URLs  []string // webhooks
	Token string   // the bearer token for all of them
	Page  string   // the address of this server for people who read an alarm
}

// usualQueue is the size of the profiles that wait for another server, in bytes: some hours of
// a few hundred processes.
const usualQueue = 1 << 30

// ForDemo sets a schedule that shows something in the first minute.
func (o *Options) ForDemo() {
	const often = 5 * time.Second
	o.Schedule = scrape.Schedule{Heap: often, CPU: 3 * often, Record: often, Goroutine: often}
	o.Judge = 5 * time.Second
	if !o.Rates.Known() {
		o.Rates = fargate
	}
}

// Server keeps and judges profiles. It serves many goroutines.
type Server struct {
	opts    Options
	store   store.Store
	local   *store.Local   // only figures with Options.From
	forward *forward.Store // nil without Options.From
	scraper *scrape.Scraper
	watcher *discover.Watcher
	alerts  *alert.Sender
	worse   map[string]bool // regressions of the last judgement, which is made by one goroutine

	mu    sync.Mutex
	fleet *Fleet
}

// Open opens a server on its folder, which nobody else may use.
func Open(opts Options) (*Server, error) {
	opts.Window = cmp.Or(opts.Window, time.Hour)
	opts.Judge = cmp.Or(opts.Judge, 2*time.Minute)
	opts.Queue = cmp.Or(opts.Queue, usualQueue)
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Judging == nil {
		opts.Judging = new(sync.Mutex)
	}
	now := time.Now()
	s := &Server{opts: opts, watcher: discover.New(opts.Sources),
		fleet:  &Fleet{From: now.Add(-opts.Window), To: now, Rates: opts.Rates},
		alerts: alert.New(alert.Options{URLs: opts.Alerts.URLs, Token: opts.Alerts.Token, Log: opts.Log})}
	var err error
	if s.local, err = store.Open(opts.Dir, opts.Store); err != nil {
		return nil, err
	}
	s.store = s.local
	if opts.From != nil {
		queue, err := store.OpenQueue(opts.Dir, opts.Queue)
		if err != nil {
			return nil, errors.Join(err, s.local.Close())
		}
		s.forward = forward.New(s.local, queue, opts.From, opts.Log)
		s.store = s.forward
	}
	s.scraper = scrape.NewScraper(scrape.Options{
		Schedule: opts.Schedule, Alarm: opts.Alarm, Token: opts.Token, TLS: opts.TLS, Requests: opts.Requests, Keep: s.keep})
	return s, nil
}

// retainEvery is how often old days are looked for.
const retainEvery = 10 * time.Minute

// Run scrapes, judges and removes old profiles until the context ends, and closes the store.
func (s *Server) Run(ctx context.Context) error {
	judge, retain := time.NewTicker(s.opts.Judge), time.NewTicker(retainEvery)
	defer judge.Stop()
	defer retain.Stop()
	var work sync.WaitGroup
	work.Go(func() { s.every(ctx, judge.C, "judge", s.judgeAll) })
	work.Go(func() { s.alerts.Run(ctx) })
	work.Go(func() { s.every(ctx, retain.C, "retain", s.retain) })
	if s.forward != nil {
		work.Go(func() { s.forward.Run(ctx) })
	}
	s.watcher.Run(ctx, func(targets []scrape.Target) { s.scraper.Set(ctx, targets) })
	s.scraper.Wait()
	work.Wait()
	if s.forward != nil {
		return errors.Join(s.forward.Close(), s.local.Close())
	}
	return s.local.Close()
}

// retain removes days past the limits, and joins the profiles of old days.
func (s *Server) retain(ctx context.Context) error {
	removed, err := s.local.Retain()
	if len(removed) > 0 {
		s.opts.Log.Info("old profiles are removed", "files", removed)
	}
	joined, also := s.local.Coarsen(ctx)
	if len(joined) > 0 {
		s.opts.Log.Info("old profiles are joined in windows of 5 min", "files", joined)
	}
	return errors.Join(err, also)
}

func (s *Server) every(ctx context.Context, tick <-chan time.Time, what string, do func(context.Context) error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		if err := do(ctx); err != nil && ctx.Err() == nil {
			s.opts.Log.Error(what, "error", err)
		}
	}
}

// Merge adds the profiles of a kind up in a window.
func (s *Server) Merge(ctx context.Context, w Window, kind string) (*profile.Profile, error) {
	return s.store.Merge(ctx, w.query(kind))
}

// Store returns the store, for queries that are not judged.
func (s *Server) Store() store.Store { return s.store }

// Remote returns the other server that keeps the profiles, nil if they are here.
func (s *Server) Remote() forward.Remote { return s.opts.From }

// Append keeps a profile that was sent.
func (s *Server) Append(ctx context.Context, e store.Entry, data []byte) (store.Entry, error) {
	return s.store.Append(ctx, e, data)
}
