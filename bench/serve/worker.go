package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/store"
)

// noon is the time of the newest profile: the middle of a day, so that a window of a day
// has two files.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

const (
	service = "shop"
	every   = 15 * time.Second
	summed  = "summed" // a kind whose profiles are all added up; of a heap's only the last count
)

// worker does one piece of work, and prints its figures as JSON.
func (s *settings) worker(ctx context.Context) error {
	works := map[string]func(context.Context, *store.Local) (any, error){
		"append": s.append, "sum": s.sum, "fill": s.fill, "ask": s.ask,
	}
	work := works[s.work]
	if work == nil {
		return fmt.Errorf("no work is called %s", s.work)
	}
	kept, err := store.Open(s.store, store.Options{Now: func() time.Time { return noon }})
	if err != nil {
		return err
	}
	figures, err := work(ctx, kept)
	if err != nil {
		return err
	}
	if err := kept.Close(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

func (s *settings) files() (all [][]byte, err error) {
	names, err := filepath.Glob(filepath.Join(s.corpus, "*.pb.gz"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// append keeps the corpus, each profile 15 s after the one before.
func (s *settings) append(ctx context.Context, kept *store.Local) (any, error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	for i, data := range files {
		e := store.Entry{Service: service, Kind: summed, Time: noon.Add(time.Duration(i-len(files)) * every)}
		if _, err := kept.Append(ctx, e, data); err != nil {
			return nil, err
		}
	}
	return usage(ctx, kept)
}

func usage(ctx context.Context, kept *store.Local) (contents, error) {
	u, err := kept.Usage()
	if err != nil {
		return contents{}, err
	}
	a := contents{Disk: u.Bytes}
	entries, err := kept.Select(ctx, window(24*time.Hour, ""))
	for _, e := range entries {
		a.Values += int64(e.Size)
		a.Entries++
	}
	return a, err
}

func window(last time.Duration, kind string) store.Query {
	return store.Query{Service: service, Kind: kind, From: noon.Add(-last), To: noon}
}

// sum adds the whole corpus up and writes the sum, as go tool pprof does.
func (s *settings) sum(ctx context.Context, kept *store.Local) (any, error) {
	p, err := kept.Merge(ctx, window(24*time.Hour, summed))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := p.Encode(&out); err != nil {
		return nil, err
	}
	return process{Samples: p.Len()}, os.WriteFile(filepath.Join(s.store, "sum.pb.gz"), out.Bytes(), 0o666)
}

// fill keeps a day of heap profiles of one process: the last one of the corpus again and
// again, because the first one would look like a restart.
func (s *settings) fill(ctx context.Context, kept *store.Local) (any, error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	const day = 24 * time.Hour
	for at := time.Duration(0); at < day; at += every {
		e := store.Entry{Service: service, Kind: store.Heap, Time: noon.Add(at - day),
			Labels: store.Labels{"instance": "1"}}
		if _, err := kept.Append(ctx, e, files[len(files)-1]); err != nil {
			return nil, err
		}
	}
	return usage(ctx, kept)
}

// ask times the queries of pages, the first one of a server that has just started apart.
func (s *settings) ask(ctx context.Context, kept *store.Local) (any, error) {
	var a answers
	for _, question := range questions {
		var times []float64
		for run := range s.runs + 1 {
			start := time.Now()
			if err := question.ask(ctx, kept); err != nil {
				return nil, fmt.Errorf("%s: %w", question.name, err)
			}
			if took := time.Since(start).Seconds(); run == 0 && a.First == 0 {
				a.First = took
			} else if run > 0 {
				times = append(times, took)
			}
		}
		a.Times = append(a.Times, answer{question.name, program.Median(times)})
	}
	return a, nil
}

// questions are the queries of the pages of one service.
var questions = []struct {
	name string
	ask  func(context.Context, *store.Local) error
}{
	{"the curves of 24 h", func(ctx context.Context, kept *store.Local) error {
		_, err := kept.Select(ctx, window(24*time.Hour, ""))
		return err
	}},
	{"the live heap and allocations of 24 h", func(ctx context.Context, kept *store.Local) error {
		_, err := kept.Merge(ctx, window(24*time.Hour, store.Heap))
		return err
	}},
	{"the flame graph of an hour against the hour before", func(ctx context.Context, kept *store.Local) error {
		p, err := kept.Merge(ctx, window(time.Hour, store.Heap))
		if err != nil {
			return err
		}
		before := window(2*time.Hour, store.Heap)
		before.To = noon.Add(-time.Hour)
		base, err := kept.Merge(ctx, before)
		if err != nil {
			return err
		}
		var raw bytes.Buffer
		if err := base.EncodeRaw(&raw); err != nil {
			return err
		}
		base, err = profile.NewDecoder(profile.Options{Dict: p.Dict, Rebase: true}).DecodeBytes(base.Name, raw.Bytes())
		if err != nil {
			return err
		}
		_, err = flame.New(p, flame.Options{Base: base})
		return err
	}},
}
