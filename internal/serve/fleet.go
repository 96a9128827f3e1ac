package serve

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Fleet holds the usage and the possible savings of all services. It is not changed after it was made.
type Fleet struct {
	Tenant    string // "" is who runs the server
	From, To  time.Time
	Services  []*Judgement // sorted by name
	Ranking   []Rank       // the largest possible saving first
	Libraries []Library    // lines that several services share; the dearest first
	Leaks     []Leak       // the fastest growing first
	Alarms    []Alarm      // the newest first
	Worse     []Regression // newer versions, beside older ones
	Rates     Rates
	Sources   []discover.Status
	Targets   []scrape.Status
	Store     store.Usage
	Origin    string          // the server that has the profiles; "" if this one has
	Forward   *forward.Status // nil without Origin
	Damaged   error           // profiles that cannot be read
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
	usage := map[string]Usage{}
	for _, name := range names {
		j := s.judgeOne(ctx, f, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		usage[name] = j.Usage
	}
	byCost(f.Ranking)
	f.Libraries, f.Leaks = libraries(f.Ranking, usage, s.opts.Rates), leaks(f.Ranking, usage)
	f.Alarms = f.Alarms[:min(len(f.Alarms), mostAlarms)]
	s.confirm(f.Worse)
	s.mu.Lock()
	s.fleet = f
	s.mu.Unlock()
	return nil
}

// judgeOne adds a service to a fleet.
func (s *Server) judgeOne(ctx context.Context, f *Fleet, service string) *Judgement {
	s.opts.Judging.Lock()
	defer s.opts.Judging.Unlock()
	j := s.Judge(ctx, Window{Service: service, From: f.From, To: f.To})
	f.Services = append(f.Services, j)
	f.Ranking = append(f.Ranking, rank(j, s.opts.Rates)...)
	f.Alarms = append(f.Alarms, s.alarms(ctx, service, f.From, f.To)...)
	if len(j.Usage.Versions) > 1 {
		worse, err := s.regressions(ctx, service, f.From, f.To)
		if err != nil && !errors.Is(err, ErrOne) && ctx.Err() == nil {
			s.opts.Log.Error("compare versions", "service", service, "error", err)
		}
		f.Worse = append(f.Worse, worse...)
	}
	return j
}

// alarms returns the alarms of a service in a time, the newest first. Each has a heap profile,
// or stands for one on another server.
func (s *Server) alarms(ctx context.Context, service string, from, to time.Time) (all []Alarm) {
	for _, kind := range []string{store.Heap, store.Alarm} {
		entries, err := s.store.Select(ctx, store.Query{Service: service, Kind: kind, From: from, To: to})
		if err != nil {
			continue // the judgement says so
		}
		for _, e := range slices.Backward(entries) {
			if e.Evidence {
				all = append(all, Alarm{service, e.Labels["instance"], e.Time})
			}
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
	f.Tenant = s.opts.Tenant
	f.Sources, f.Targets = s.watcher.Statuses(), s.scraper.Statuses()
	if s.forward != nil {
		f.Origin = s.opts.From.String()
		status := s.forward.Status()
		f.Forward = &status
	}
	f.Store, _ = s.local.Usage() // a folder that is gone has no size
	f.Damaged = s.local.Damaged()
	return &f
}
