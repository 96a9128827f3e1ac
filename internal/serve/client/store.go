package client

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// Store reads the profiles in a Pyroscope as if they were kept here, and pushes to it. It
// serves many goroutines.
type Store struct {
	address string
	peer    *peer
}

// mostForStore bounds an answer to a server, in bytes, which asks for several at the same time.
const mostForStore = 128 << 20

// NewStore returns the store of a Pyroscope.
func NewStore(address string, auth Auth) *Store {
	address = strings.TrimSuffix(address, "/")
	return &Store{address: address, peer: newPeer(address, auth)}
}

func (s *Store) String() string { return s.address }

// aliases are the names that labels have in a Pyroscope, the usual one first.
var aliases = map[string][]string{
	"version":  {"version", "service_git_ref", "service_version"},
	"instance": {"instance", "pod", "hostname"},
}

func (s *Store) open(from, to time.Time, service string) *pyroscope {
	p := &pyroscope{peer: s.peer, most: mostForStore, address: s.address, service: service,
		start: from.UnixMilli(), end: to.UnixMilli(), dict: new(profile.Dict)}
	p.decoder = profile.NewDecoder(profile.Options{MaxBytes: p.most, Dict: p.dict, Rebase: true})
	p.selector = fmt.Sprintf("{service_name=%q}", service)
	return p
}

// query opens a window of a service, with the labels that a query asks for.
func (s *Store) query(ctx context.Context, q store.Query) (*pyroscope, map[string]string, error) {
	p := s.open(q.From, q.To, q.Service)
	known, err := p.labels(ctx)
	if err != nil {
		return nil, nil, err
	}
	wanted := []string{fmt.Sprintf("service_name=%q", q.Service)}
	for _, name := range slices.Sorted(maps.Keys(q.Labels)) {
		theirs := name
		if known[name] != "" {
			theirs = known[name]
		}
		wanted = append(wanted, fmt.Sprintf("%s=%q", theirs, q.Labels[name]))
	}
	p.selector = "{" + strings.Join(wanted, ",") + "}"
	return p, known, nil
}

// labels returns the names in this Pyroscope of version and instance, as far as it has
// them.
func (p *pyroscope) labels(ctx context.Context) (map[string]string, error) {
	var names []string
	if err := p.pieces(func(start, end int64) error {
		out := &pb.LabelNamesResponse{}
		in := &pb.LabelNamesRequest{Matchers: []string{p.selector}, Start: start, End: end}
		err := p.ask(ctx, "LabelNames", in, out)
		names = append(names, out.Names...)
		return err
	}); err != nil {
		return nil, err
	}
	known := map[string]string{}
	for ours, all := range aliases {
		for _, theirs := range all {
			if known[ours] == "" && slices.Contains(names, theirs) {
				known[ours] = theirs
			}
		}
	}
	return known, nil
}

// Services implements store.Store.
func (s *Store) Services(ctx context.Context, from, to time.Time) ([]string, error) {
	p := s.open(from, to, "")
	var all []string
	err := p.pieces(func(start, end int64) error {
		out := &pb.LabelValuesResponse{}
		err := p.ask(ctx, "LabelValues", &pb.LabelValuesRequest{Name: "service_name", Start: start, End: end}, out)
		all = append(all, out.Names...)
		return err
	})
	slices.Sort(all)
	return slices.Compact(all), err
}

// Series implements store.Store: a series for each kind of each service.
func (s *Store) Series(ctx context.Context, from, to time.Time) ([]store.Series, error) {
	services, err := s.Services(ctx, from, to)
	var all []store.Series
	for _, service := range services {
		for _, kind := range kinds {
			all = append(all, store.Series{Service: service, Kind: kind})
		}
	}
	return all, err
}

// Span implements store.Store.
func (s *Store) Span(ctx context.Context) (first, last time.Time, err error) {
	out := &pb.GetProfileStatsResponse{}
	err = s.open(first, last, "").ask(ctx, "GetProfileStats", &pb.GetProfileStatsRequest{}, out)
	if err != nil || !out.DataIngested {
		return first, last, err
	}
	return time.UnixMilli(out.OldestProfileTime).UTC(), time.UnixMilli(out.NewestProfileTime).UTC(), nil
}

// kinds are the kinds of profiles that a judgement rests on.
var kinds = []string{store.CPU, store.Heap, store.Goroutine}

// mostSteps bounds the entries of a process in a window.
const mostSteps = 240

// Select returns an entry for each step and process in which a process has pushed.
func (s *Store) Select(ctx context.Context, q store.Query) ([]store.Entry, error) {
	p, known, err := s.query(ctx, q)
	if err != nil {
		return nil, err
	}
	step := max(pushEvery*time.Second, (q.To.Sub(q.From) / mostSteps).Round(time.Second))
	var all []store.Entry
	for _, kind := range kinds {
		if q.Kind != "" && q.Kind != kind {
			continue
		}
		entries := map[string]*store.Entry{}
		for _, id := range columns[kind] {
			if err := p.entries(ctx, q, kind, id, step, known, entries); err != nil {
				return nil, err
			}
		}
		for _, e := range entries {
			all = append(all, *e)
		}
	}
	slices.SortFunc(all, func(a, b store.Entry) int {
		if order := a.Time.Compare(b.Time); order != 0 {
			return order
		}
		return strings.Compare(identity(&a), identity(&b))
	})
	return all, nil
}

func identity(e *store.Entry) string {
	return fmt.Sprintf("%s %q %q %d", e.Kind, e.Labels["version"], e.Labels["instance"], e.Time.UnixMilli())
}

// entries adds the figures of one type to the entries.
func (p *pyroscope) entries(ctx context.Context, q store.Query, kind, id string, step time.Duration,
	known map[string]string, to map[string]*store.Entry) error {
	name := strings.Split(id, ":")[1]
	aggregation := pb.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_SUM
	if strings.HasPrefix(name, "inuse_") || kind == store.Goroutine {
		aggregation = pb.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_AVERAGE
	}
	lines, err := p.series(ctx, &pb.SelectSeriesRequest{ProfileTypeID: id, Step: step.Seconds(),
		GroupBy: slices.Sorted(maps.Values(known)), Aggregation: &aggregation})
	if err != nil {
		return err
	}
	for _, s := range lines {
		labels := store.Labels{}
		for _, l := range s.Labels {
			for ours, theirs := range known {
				if l.Name == theirs && l.Value != "" {
					labels[ours] = l.Value
				}
			}
		}
		if q.Match != nil && !q.Match(kind, labels) {
			continue
		}
		for _, point := range s.Points {
			if !(point.Value > 0 && point.Value < math.MaxInt64) {
				continue
			}
			e := &store.Entry{Service: q.Service, Kind: kind, Labels: labels, Duration: step, Size: 1,
				Time: time.UnixMilli(point.Timestamp).UTC()}
			if there := to[identity(e)]; there != nil {
				e = there
			}
			to[identity(e)] = e
			if _, twice := e.Figure(name); !twice {
				e.Figures = append(e.Figures, store.Figure{Name: name, Value: int64(point.Value)})
			}
		}
	}
	return nil
}

// Read returns the profile of an entry: a snapshot, or the sum of its step.
func (s *Store) Read(ctx context.Context, e store.Entry) (*profile.Profile, error) {
	p, err := s.Merge(ctx, store.Query{Service: e.Service, Kind: e.Kind, Labels: e.Labels,
		From: e.Time.Add(-e.Duration), To: e.Time.Add(e.Duration)})
	if err == nil && e.Kind == store.Heap {
		_, p = halves(p)
	}
	return p, err
}

// Merge implements store.Store.
func (s *Store) Merge(ctx context.Context, q store.Query) (*profile.Profile, error) {
	p, _, err := s.query(ctx, q)
	if err != nil {
		return nil, err
	}
	kind := q.Kind
	if kind == store.Allocs {
		kind = store.Heap
	}
	one, err := p.kind(ctx, kind)
	if err != nil {
		return nil, err
	}
	if one != nil && q.Kind == store.Allocs {
		one, _ = halves(one)
		if one.Total(1) == 0 {
			one = nil
		}
	}
	if one == nil {
		return nil, fmt.Errorf("%s %s: %w", q.Service, q.Kind, store.ErrNone)
	}
	return one, nil
}
