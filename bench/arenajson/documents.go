package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bytedance/sonic"
	experiment "github.com/go-json-experiment/json"
	experimentv1 "github.com/go-json-experiment/json/v1"
	goccy "github.com/goccy/go-json"
	"github.com/klauspost/compress/zstd"
	segmentio "github.com/segmentio/encoding/json"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenajson"
	"github.com/heapwright/heapwright/bench/internal/contest"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// documents returns all documents.
func documents(ctx context.Context) ([]*contest.Work, error) {
	var all []*contest.Work
	for _, d := range []struct {
		file, name, about string
		of                func(name, about string, data []byte) *contest.Work
	}{
		{"canada_geometry", "Canada", "Coordinates of the border, numbers of up to 17 digits", newDocument[canada]},
		{"citm_catalog", "citm", "A catalogue of events, indented, with maps", newDocument[catalogue]},
		{"twitter_status", "Twitter", "Search results with much text in Japanese", newDocument[timeline]},
		{"twitter_status", "Twitter, any", "The same document into a value of type any: maps, slices and strings", newDocument[any]},
	} {
		data, err := corpus(ctx, d.file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		all = append(all, d.of(d.name, d.about, data))
	}
	data, err := json.Marshal(spans(1000))
	if err != nil {
		return nil, err
	}
	all = append(all, newDocument[traces]("OTLP/JSON", "1,000 spans with 9 attributes", data))
	data, err = json.Marshal(spans(1))
	if err != nil {
		return nil, err
	}
	return append(all, newDocument[traces]("OTLP/JSON, small", "One span with 9 attributes", data)), nil
}

// corpus returns a document of the Go distribution's tests.
func corpus(ctx context.Context, name string) ([]byte, error) {
	root, err := program.In{}.Line(ctx, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	packed, err := os.ReadFile(filepath.Join(root, "src/encoding/json/internal/jsontest/testdata", name+".json.zst"))
	if err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}

// newDocument returns a document of values of type T. encoding/json is the first
// contestant.
func newDocument[T any](name, about string, data []byte) *contest.Work {
	d := &contest.Work{Name: name, About: about, Data: data}
	onHeap := func(name string, unmarshal func([]byte, any) error) {
		d.Add(name, func(data []byte) error { return unmarshal(data, new(T)) })
	}
	onHeap("encoding/json", json.Unmarshal)
	pool := new(arena.Pool)
	for _, c := range []struct {
		name string
		text arena.Text
	}{{"**arenajson**", arena.TextHeap}, {"arenajson, text in the arena", arena.TextArena}, {"arenajson, text aliased", arena.TextAlias}} {
		d.Add(c.name, func(data []byte) error {
			a := pool.Get()
			defer a.Free()
			return arenajson.UnmarshalOptions{Text: c.text}.Unmarshal(a, data, arena.New[T](a))
		})
	}
	onHeap("go-json-experiment/json, v2", func(data []byte, v any) error {
		return experiment.Unmarshal(data, v, experimentv1.StringifyWithLegacySemantics(true))
	})
	onHeap("goccy/go-json", goccy.Unmarshal)
	onHeap("bytedance/sonic", sonic.Unmarshal)
	onHeap("bytedance/sonic, as encoding/json", sonic.ConfigStd.Unmarshal)
	onHeap("segmentio/encoding", func(data []byte, v any) error { return segmentio.Unmarshal(data, v) })
	return d
}
