package serve

import (
	"context"
	"time"

	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Fleet is what all services take and could save. It is not changed after it was made.
type Fleet struct {
	From, To time.Time
	Services []*Judgement // sorted by name
	Ranking  []Rank       // what could save most first
	Alarms   []Alarm      // the newest first
	Rates    Rates
	Sources  []discover.Status
	Targets  []scrape.Status
	Store    store.Usage
	Damaged  error // profiles that cannot be read
}

// Alarm is a process that came near its limit of memory.
type Alarm struct {
	Service, Instance string
	Time              time.Time
}

// mostAlarms bounds the alarms on a page.
const mostAlarms = 50

// judgeAll judges all services over the window that ends now.
func (s *Server) judgeAll(ctx context.Context) error {
	now := time.Now()
	f := &Fleet{From: now.Add(-s.opts.Window), To: now, Rates: s.opts.Rates}
	names, err := s.store.Services(ctx, f.From, f.To)
	if err != nil {
		return err
	}
	for _, name := range names {
		j := s.Judge(ctx, Window{Service: name, From: f.From, To: f.To})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.Services = append(f.Services, j)
		f.Ranking = append(f.Ranking, rank(j, s.opts.Rates)...)
		f.Alarms = append(f.Alarms, s.alarms(ctx, name, f.From, f.To)...)
	}
	byCost(f.Ranking)
	f.Alarms = f.Alarms[:min(len(f.Alarms), mostAlarms)]
	s.mu.Lock()
	s.fleet = f
	s.mu.Unlock()
	return nil
}

func (s *Server) alarms(ctx context.Context, service string, from, to time.Time) (all []Alarm) {
	entries, err := s.store.Select(ctx, store.Query{Service: service, Kind: store.Heap, From: from, To: to})
	if err != nil {
		return nil // the judgement says so
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if e := &entries[i]; e.Evidence {
			all = append(all, Alarm{service, e.Labels["instance"], e.Time})
		}
	}
	return all
}

// Fleet returns the newest judgement of all services, with the present states of the
// targets.
func (s *Server) Fleet() *Fleet {
	s.mu.Lock()
	f := *s.fleet
	s.mu.Unlock()
	f.Sources, f.Targets = s.watcher.Statuses(), s.scraper.Statuses()
	f.Store, _ = s.store.Usage() // a folder that is gone has no size
	f.Damaged = s.store.Damaged()
	return &f
}
