package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve/versus"
	"github.com/heapwright/heapwright/internal/store"
)

// SideBySide compares two versions of a service while both run.
type SideBySide struct {
	Service string             `json:"service"`
	Before  string             `json:"before"` // the older version
	After   string             `json:"after"`
	From    time.Time          `json:"from"` // the time in which both ran
	To      time.Time          `json:"to"`
	CPU     *versus.Comparison `json:"cpu,omitempty"`
	Bytes   *versus.Comparison `json:"allocated_bytes,omitempty"`
	Notes   []string           `json:"notes,omitempty"` // why a comparison is missing
}

// ErrOne is the error of a service whose versions did not run at the same time.
var ErrOne = errors.New("no two versions ran at the same time for long enough")

const (
	// WarmUp is how long a process is left out after its first profile: it fills caches.
	WarmUp = 2 * time.Minute
	// leastTogether is how long two versions must have run side by side.
	leastTogether = 10 * time.Minute
	// mostProcesses bounds the processes of a version: more would make the answer slow and
	// hardly surer.
	mostProcesses = 40
)

// life is the time in which a process of a version was seen.
type life struct {
	instance    string
	first, last time.Time
}

// SideBySide compares the newest version in a window, or the one that the window names,
// with the one that most processes ran at the same time, or the one that is named.
func (s *Server) SideBySide(ctx context.Context, w Window, before string) (*SideBySide, error) {
	return CompareVersions(ctx, s.store, w, before)
}

// CompareVersions is SideBySide of a store of profiles.
func CompareVersions(ctx context.Context, profiles store.Reader, w Window, before string) (*SideBySide, error) {
	after := w.Version
	w.Version = ""
	entries, err := entriesOf(ctx, profiles, &w)
	if err != nil {
		return nil, err
	}
	lives := livesOf(entries)
	c, olders, newers := together(lives, usageOf(entries).Versions, before, after)
	if c == nil {
		return nil, fmt.Errorf("%s from %s to %s: %w",
			w.Service, w.From.Format(time.RFC3339), w.To.Format(time.RFC3339), ErrOne)
	}
	c.Service = w.Service
	for _, kind := range []struct {
		kind, column string
		to           **versus.Comparison
	}{{store.CPU, "cpu", &c.CPU}, {store.Heap, "alloc_space", &c.Bytes}} {
		compare := func(from time.Time) (*versus.Comparison, error) {
			r := reader{store: profiles, entries: entries, compared: c, kind: kind.kind, column: kind.column, from: from,
				decoder: profile.NewDecoder(profile.Options{
					Dict: new(profile.Dict), Rebase: true, MaxBytes: mostCompared})}
			old, err := r.processes(ctx, c.Before, olders)
			if err != nil {
				return nil, err
			}
			newer, err := r.processes(ctx, c.After, newers)
			if err != nil {
				return nil, err
			}
			return versus.Compare(old, newer, versus.Options{Column: kind.column})
		}
		found, err := compare(c.From)
		if err == nil && slices.ContainsFunc(found.Changes, (*versus.Change).Confirmed) {
			var late *versus.Comparison
			if late, err = compare(c.To.Add(-c.To.Sub(c.From) / 3)); err == nil {
				found.Settle(late)
			}
		}
		if errors.Is(err, versus.ErrFew) {
			c.Notes, err = append(c.Notes, kind.column+": "+err.Error()), nil
		}
		if err != nil {
			return nil, err
		}
		*kind.to = found
	}
	return c, nil
}

// livesOf returns the processes of each version.
func livesOf(entries []store.Entry) map[string][]life {
	all := map[string]map[string]*life{}
	for i := range entries {
		e := &entries[i]
		version, instance := e.Labels[versionLabel], e.Labels["instance"]
		if version == "" {
			continue
		}
		if all[version] == nil {
			all[version] = map[string]*life{}
		}
		l := all[version][instance]
		if l == nil {
			l = &life{instance: instance, first: e.Time}
			all[version][instance] = l
		}
		l.last = e.Time
	}
	lives := map[string][]life{}
	for version, processes := range all {
		for _, name := range slices.Sorted(maps.Keys(processes)) {
			lives[version] = append(lives[version], *processes[name])
		}
	}
	return lives
}

// together chooses two versions and the time in which both ran, and the processes of each
// that were there for at least half of it. versions are sorted by their first profile.
func together(lives map[string][]life, versions []string, before, after string) (
	c *SideBySide, olders, newers []life) {
	if len(versions) < 2 {
		return nil, nil, nil
	}
	after = cmp.Or(after, versions[len(versions)-1])
	for _, v := range versions {
		if v == after || before != "" && v != before {
			continue
		}
		from, to := later(start(lives[v]), start(lives[after])).Add(WarmUp), earlier(end(lives[v]), end(lives[after]))
		if to.Sub(from) < leastTogether {
			continue
		}
		old, newer := during(lives[v], from, to), during(lives[after], from, to)
		if len(old) > len(olders) && len(newer) > 0 {
			c = &SideBySide{Before: v, After: after, From: from, To: to}
			olders, newers = old, newer
		}
	}
	return c, olders, newers
}

func start(all []life) (t time.Time) {
	for _, l := range all {
		if t.IsZero() || l.first.Before(t) {
			t = l.first
		}
	}
	return t
}

func end(all []life) (t time.Time) {
	for _, l := range all {
		t = later(t, l.last)
	}
	return t
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func during(all []life, from, to time.Time) (some []life) {
	for _, l := range all {
		if earlier(l.last, to).Sub(later(l.first.Add(WarmUp), from)) >= to.Sub(from)/2 {
			some = append(some, l)
		}
	}
	return some[:min(len(some), mostProcesses)]
}

// mostCompared bounds the memory of all profiles of a comparison, in bytes.
const mostCompared = 512 << 20

// reader reads the profiles of processes into one dictionary, and only the column that is
// compared: all of them are in memory together.
type reader struct {
	store        store.Reader
	entries      []store.Entry
	compared     *SideBySide
	kind, column string
	from         time.Time
	decoder      *profile.Decoder
}

// processes returns the costs and the work of processes of a version.
func (r *reader) processes(ctx context.Context, version string, lives []life) (all []versus.Process, err error) {
	for _, l := range lives {
		q := store.Query{Service: r.compared.Service, Kind: r.kind, From: later(r.from, l.first.Add(WarmUp)),
			To: r.compared.To.Add(1), Labels: store.Labels{versionLabel: version, "instance": l.instance}}
		p, err := r.store.Merge(ctx, q)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err == nil {
			p, err = r.slim(p)
		}
		if err != nil {
			return nil, err
		}
		if p != nil {
			all = append(all, versus.Process{Profile: p, Work: work(r.entries, q)})
		}
	}
	return all, nil
}

// slim returns one column of a profile, nil if there is no such column.
func (r *reader) slim(p *profile.Profile) (*profile.Profile, error) {
	at, ok := p.Column(r.column)
	if !ok {
		return nil, nil
	}
	p.SampleTypes, p.Values = p.SampleTypes[at:at+1], p.Values[at:at+1]
	var raw bytes.Buffer
	if err := p.EncodeRaw(&raw); err != nil {
		return nil, err
	}
	one, err := r.decoder.DecodeBytes(p.Name, raw.Bytes())
	if err != nil {
		return nil, err
	}
	slim := &profile.Profile{Name: one.Name, Dict: one.Dict, SampleTypes: one.SampleTypes, Period: one.Period,
		Stacks: one.Stacks, Labels: one.Labels, Values: one.Values}
	r.decoder.Hold(slim)
	return slim, nil
}
