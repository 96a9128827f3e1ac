package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Window is a service and a time to judge it in.
type Window struct {
	Service  string
	From, To time.Time
	Version  string // "" is the newest one that has profiles
}

func (w *Window) query(kind string) store.Query {
	q := store.Query{Service: w.Service, Kind: kind, From: w.From, To: w.To}
	if w.Version != "" {
		q.Labels = store.Labels{versionLabel: w.Version}
	}
	return q
}

const versionLabel = "version"

// Judgement holds the findings and the usage of one service in a window.
type Judgement struct {
	Window
	Made      time.Time
	Usage     Usage
	Diagnosis *diagnose.Document // nil if Err is not
	Err       error
}

// Usage is the consumption of a service, all its processes together.
type Usage struct {
	Processes int
	Versions  []string // sorted by their first profile
	Cores     float64  // CPU time per time, 0 if not known
	Bytes     float64  // memory, 0 if not known
	Live      float64  // the live heap in it
}

// mostSnapshots is how many heap profiles a judgement rests on. A trend over twelve is
// about as sure as over all.
const mostSnapshots = 12

// Judge diagnoses a window.
func (s *Server) Judge(ctx context.Context, w Window) *Judgement {
	j := &Judgement{Window: w, Made: time.Now()}
	entries, err := s.entries(ctx, &j.Window)
	if err != nil {
		j.Err = err
		return j
	}
	j.Usage = usageOf(entries)
	entries = s.ofVersion(&j.Window, j.Usage.Versions, entries)
	all, err := s.profiles(ctx, j.Window, entries)
	if err != nil {
		j.Err = err
		return j
	}
	profiles := evidence.NewProfiles(0)
	for _, p := range all {
		if err := profiles.AddBytes(p.Name, p.Data); err != nil {
			profiles.Note("left out: %v", err)
		}
	}
	if names := programs(all); len(names) > 1 {
		profiles.Note("%d programs have the name of this service: %s; give each another service_name",
			len(names), strings.Join(names, ", "))
	}
	j.Diagnosis, j.Err = diagnose.Profiles(ctx, w.Service, profiles, runtimeOf(entries, mostWatched(entries)))
	return j
}

func (s *Server) entries(ctx context.Context, w *Window) ([]store.Entry, error) {
	return entriesOf(ctx, s.store, w)
}

func entriesOf(ctx context.Context, profiles store.Reader, w *Window) ([]store.Entry, error) {
	entries, err := profiles.Select(ctx, w.query(""))
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("%s from %s to %s: %w",
			w.Service, w.From.Format(time.RFC3339), w.To.Format(time.RFC3339), store.ErrNone)
	}
	return entries, err
}

// ofVersion narrows a window of several versions to the newest: lines of two versions do
// not match.
func (s *Server) ofVersion(w *Window, versions []string, entries []store.Entry) []store.Entry {
	if w.Version != "" || len(versions) < 2 {
		return entries
	}
	w.Version = versions[len(versions)-1]
	return slices.DeleteFunc(entries, func(e store.Entry) bool { return e.Labels[versionLabel] != w.Version })
}

// Evidence is a profile that a judgement rests on, as raw protobuf.
type Evidence struct {
	Name, Kind string
	Time       time.Time
	Data       []byte

	mappings []string // files of binaries and libraries
}

// Profiles returns the profiles that a judgement of a window rests on.
func (s *Server) Profiles(ctx context.Context, w Window) ([]Evidence, error) {
	entries, err := s.entries(ctx, &w)
	if err != nil {
		return nil, err
	}
	entries = s.ofVersion(&w, usageOf(entries).Versions, entries)
	return s.profiles(ctx, w, entries)
}

// profiles reads the CPU profiles of all processes, as one, and snapshots of the process
// that was watched most.
func (s *Server) profiles(ctx context.Context, w Window, entries []store.Entry) ([]Evidence, error) {
	var all []Evidence
	add := func(name, kind string, p *profile.Profile) error {
		var raw bytes.Buffer
		if err := p.EncodeRaw(&raw); err != nil {
			return err
		}
		all = append(all, Evidence{Name: name, Kind: kind, Time: time.Unix(0, p.TimeNanos), Data: raw.Bytes(), mappings: files(p)})
		return nil
	}
	for _, kind := range []string{store.CPU, store.Allocs} {
		p, err := s.store.Merge(ctx, w.query(kind))
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err == nil {
			err = add(w.Service+" "+kind, kind, p)
		}
		if err != nil {
			return nil, err
		}
	}
	watched := mostWatched(entries)
	for _, kind := range []string{store.Heap, store.Goroutine} {
		snapshots := slices.DeleteFunc(slices.Clone(entries), func(e store.Entry) bool {
			is := e.Kind == kind || kind == store.Heap && e.Kind == store.HeapDelta
			return !is || e.Size == 0 || e.Labels["instance"] != watched
		})
		for _, e := range spread(snapshots, mostSnapshots) {
			p, err := s.snapshot(ctx, w, e)
			if err != nil {
				return nil, err
			}
			p.TimeNanos = e.Time.UnixNano()
			if err := add(fmt.Sprintf("%s %s %s", e.Service, kind, e.Time.Format(time.TimeOnly)), kind, p); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// snapshot returns the profile of an entry, with allocations since the start of the
// process or of the window.
func (s *Server) snapshot(ctx context.Context, w Window, e store.Entry) (*profile.Profile, error) {
	if e.Kind != store.HeapDelta {
		return s.store.Read(ctx, e)
	}
	return s.store.Merge(ctx, store.Query{
		Service: e.Service, Kind: e.Kind, From: w.From, To: e.Time.Add(1), Labels: e.Labels})
}

// mostWatched returns the process with most heap profiles, or of other profiles if there
// are none.
func mostWatched(entries []store.Entry) string {
	counts := map[string]int{}
	for _, e := range entries {
		switch e.Kind {
		case store.Heap, store.HeapDelta:
			counts[e.Labels["instance"]] += 1000
		case store.Goroutine:
			counts[e.Labels["instance"]]++
		}
	}
	names := slices.Sorted(maps.Keys(counts))
	if len(names) == 0 {
		return ""
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
}

// spread returns at most n of the entries, the first and the last among them, at about
// equal distances.
func spread(all []store.Entry, n int) []store.Entry {
	if len(all) <= n {
		return all
	}
	some := make([]store.Entry, n)
	for i := range some {
		some[i] = all[i*(len(all)-1)/(n-1)]
	}
	return some
}

// runtimeOf returns the figures of one process in a window.
func runtimeOf(entries []store.Entry, instance string) evidence.Runtime {
	var rt evidence.Runtime
	var first, last *store.Entry
	for i := range entries {
		e := &entries[i]
		if e.Kind != store.Figures || e.Labels["instance"] != instance {
			continue
		}
		if first == nil {
			first = e
		}
		last = e
	}
	if last == nil {
		return rt
	}
	known := func(name string) evidence.Known {
		v, ok := last.Figure(name)
		return evidence.Known{Value: float64(v), OK: ok}
	}
	rt.Goal, rt.Objects, rt.Limit = known(scrape.Goal), known(scrape.Live), known(scrape.Limit)
	rt.RSS, rt.Sys = known(scrape.RSS), known(scrape.Sys)
	before, ok := first.Figure(scrape.Collections)
	if after := known(scrape.Collections); ok && after.OK && after.Value >= float64(before) {
		rt.Recent.Cycles = evidence.Known{Value: after.Value - float64(before), OK: true}
	}
	return rt
}
