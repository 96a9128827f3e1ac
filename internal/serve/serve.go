// Package serve watches a fleet of services: it scrapes and keeps their profiles, judges
// each service over a window of time, and ranks what the fleet could save.
//
// The stance: diagnose makes the findings, and the amounts are ranges, because a profile
// is a sample. A target, a profile or a day that cannot be read is shown, and
// stops nothing else.
package serve

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Options of a server. The zero value is useful but for Dir.
type Options struct {
	Dir      string // the folder of the store
	Store    store.Options
	Sources  []discover.Source // places that name targets
	Schedule scrape.Schedule
	Alarm    scrape.Alarm
	Token    string        // bearer token for scraping
	Window   time.Duration // the last so much time is judged; 0 is an hour
	Judge    time.Duration // the interval of judgements; 0 is 2 minutes
	Rates    Rates
	Log      *slog.Logger // nil is slog.Default
}

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
	store   *store.Local
	scraper *scrape.Scraper
	watcher *discover.Watcher

	mu    sync.Mutex
	fleet *Fleet
}

// Open opens a server on its folder, which nobody else may use.
func Open(opts Options) (*Server, error) {
	opts.Window = cmp.Or(opts.Window, time.Hour)
	opts.Judge = cmp.Or(opts.Judge, 2*time.Minute)
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	kept, err := store.Open(opts.Dir, opts.Store)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &Server{opts: opts, store: kept, watcher: discover.New(opts.Sources),
		fleet: &Fleet{From: now.Add(-opts.Window), To: now, Rates: opts.Rates},
		scraper: scrape.NewScraper(scrape.Options{
			Schedule: opts.Schedule, Alarm: opts.Alarm, Token: opts.Token, Keep: kept.Append})}, nil
}

// retainEvery is how often old days are looked for.
const retainEvery = 10 * time.Minute

// Run scrapes, judges and removes what is too old until the context ends, and closes the
// store.
func (s *Server) Run(ctx context.Context) error {
	judge, retain := time.NewTicker(s.opts.Judge), time.NewTicker(retainEvery)
	defer judge.Stop()
	defer retain.Stop()
	var work sync.WaitGroup
	work.Go(func() { s.every(ctx, judge.C, "judge", s.judgeAll) })
	work.Go(func() {
		s.every(ctx, retain.C, "retain", func(context.Context) error {
			removed, err := s.store.Retain()
			if len(removed) > 0 {
				s.opts.Log.Info("old profiles are removed", "files", removed)
			}
			return err
		})
	})
	s.watcher.Run(ctx, func(targets []scrape.Target) { s.scraper.Set(ctx, targets) })
	s.scraper.Wait()
	work.Wait()
	return s.store.Close()
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

// Append keeps a profile that was sent.
func (s *Server) Append(ctx context.Context, e store.Entry, data []byte) (store.Entry, error) {
	return s.store.Append(ctx, e, data)
}
