package querier

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

const (
	cpuType   = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"
	allocType = "memory:alloc_objects:count:space:bytes"
	liveType  = "memory:inuse_objects:count:space:bytes"
)

// fleet has two services with CPU and heap profiles every 15 s in the minute before noon:
// two processes of shop, and one of search.
func fleet(t *testing.T) *Querier {
	t.Helper()
	now := func() time.Time { return noon }
	s, err := store.Open(t.TempDir(), store.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, p := range []struct{ service, pod string }{{"shop", "a"}, {"shop", "b"}, {"search", "c"}} {
		for i := range 4 {
			e := store.Entry{Service: p.service, Labels: store.Labels{"pod": p.pod, "version": "v1", "app.io/name": p.service},
				Time: noon.Add(time.Duration(i-4) * 15 * time.Second)}
			push(t, s, e, profiletest.NewCPU().CPU(3, p.service+".work@w.go:1 main.main@m.go:1").CPU(1, p.service+".rest@w.go:9 main.main@m.go:1"))
			push(t, s, e, profiletest.NewHeap(0).Heap(int64(10*(i+1)), int64(i+1), p.service+".keep@k.go:1 main.main@m.go:1"))
		}
	}
	if _, err := s.Append(t.Context(), store.Entry{Service: "shop", Kind: store.Figures, Time: noon, Figures: []store.Figure{{Name: "rss_bytes", Value: 1}}}, nil); err != nil {
		t.Fatal(err)
	}
	return New(s, now)
}

func push(t *testing.T, s *store.Local, e store.Entry, p *profiletest.Profile) {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), e, b.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// ask sends a request in both forms, whose answers must be the same.
func ask[Out proto.Message](t *testing.T, q *Querier, method string, in proto.Message, out Out) Out {
	t.Helper()
	raw, err := proto.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	raw, err = q.Call(t.Context(), method, false, raw)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	text, err = q.Call(t.Context(), method, true, text)
	if err != nil {
		t.Fatalf("%s as JSON: %v", method, err)
	}
	other := out.ProtoReflect().New().Interface()
	if err := errors.Join(proto.Unmarshal(raw, out), protojson.Unmarshal(text, other)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(proto.Message(out), other, protocmp.Transform()); diff != "" {
		t.Errorf("%s differs as JSON: %s", method, diff)
	}
	return out
}

var start, end = noon.Add(-time.Hour).UnixMilli(), noon.UnixMilli()

func TestLabels(t *testing.T) {
	q := fleet(t)
	types := ask(t, q, "ProfileTypes", &pb.ProfileTypesRequest{Start: start, End: end}, &pb.ProfileTypesResponse{})
	var ids []string
	for _, p := range types.ProfileTypes {
		ids = append(ids, p.ID)
	}
	if want := []string{allocType, "memory:alloc_space:bytes:space:bytes", liveType, "memory:inuse_space:bytes:space:bytes",
		cpuType, "process_cpu:samples:count:cpu:nanoseconds"}; !cmp.Equal(ids, want) {
		t.Error(ids)
	}
	names := ask(t, q, "LabelNames", &pb.LabelNamesRequest{Start: start, End: end, Matchers: []string{`{service_name="shop"}`}}, &pb.LabelNamesResponse{})
	if got := strings.Join(names.Names, " "); !strings.HasSuffix(got, "__unit__ pod service_name version") {
		t.Error(got)
	}
	for _, c := range []struct {
		name, matcher, want string
	}{
		{"service_name", "", "search shop"},
		{"service_name", `{pod="c"}`, "search"},
		{"pod", `{service_name="shop"}`, "a b"},
		{"pod", `{service_name=~"sh.p", pod!="a"}`, "b"},
		{"pod", `{service_name!~"sh.p",}`, "c"},
		{"__profile_type__", `{__type__="cpu"}`, cpuType},
		{"pod", `{"app.io/name"="shop", "pod" != "a"}`, "b"},
		{"nothing", "{}", ""},
	} {
		got := ask(t, q, "LabelValues", &pb.LabelValuesRequest{Name: c.name, Start: start, End: end, Matchers: []string{c.matcher}}, &pb.LabelValuesResponse{})
		if strings.Join(got.Names, " ") != c.want {
			t.Errorf("%s of %s: %v, want %s", c.name, c.matcher, got.Names, c.want)
		}
	}
	for _, method := range []string{"LabelNames", "Series"} {
		for _, c := range []struct {
			ctx  context.Context
			want bool
		}{{t.Context(), false}, {WithAnyNames(t.Context()), true}} {
			answer, err := q.Call(c.ctx, method, true, fmt.Appendf(nil, `{"start":"%d","end":"%d"}`, start, end))
			if err != nil || bytes.Contains(answer, []byte("app.io/name")) != c.want {
				t.Errorf("%s: %s %v, want an unusual name: %v", method, answer, err, c.want)
			}
		}
	}
	series := ask(t, q, "Series", &pb.SeriesRequest{LabelNames: []string{"service_name", "__type__"}, Start: start, End: end}, &pb.SeriesResponse{})
	if n := len(series.LabelsSet); n != 12 {
		t.Errorf("%d sets of labels, want 6 types of 2 services", n)
	}
	if empty := ask(t, q, "LabelNames", &pb.LabelNamesRequest{Start: 1, End: 2}, &pb.LabelNamesResponse{}); len(empty.Names) != 0 {
		t.Error(empty)
	}
}

func TestSelectSeries(t *testing.T) {
	q := fleet(t)
	for _, c := range []struct {
		name string
		in   *pb.SelectSeriesRequest
		want string
	}{
		{"CPU time is added up", &pb.SelectSeriesRequest{ProfileTypeID: cpuType, LabelSelector: `{service_name="shop"}`, Step: 30}, ": 80ms 160ms 80ms"},
		{"by label", &pb.SelectSeriesRequest{ProfileTypeID: cpuType, GroupBy: []string{"service_name"}, Step: 60}, "search: 40ms 120ms; shop: 80ms 240ms"},
		{"the largest", &pb.SelectSeriesRequest{ProfileTypeID: cpuType, GroupBy: []string{"service_name"}, Step: 60, Limit: proto.Int64(1)}, "shop: 80ms 240ms"},
		{"a state is the mean of each process", &pb.SelectSeriesRequest{ProfileTypeID: liveType, LabelSelector: `{service_name="shop"}`, Step: 60}, ": 2 6"},
		{"what grows counts by its growth", &pb.SelectSeriesRequest{ProfileTypeID: allocType, LabelSelector: `{service_name="shop"}`, Step: 60}, ": 60"},
		{"mean", &pb.SelectSeriesRequest{ProfileTypeID: cpuType, LabelSelector: `{service_name="shop"}`, Step: 60,
			Aggregation: pb.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_AVERAGE.Enum()}, ": 40ms 40ms"},
		{"nobody", &pb.SelectSeriesRequest{ProfileTypeID: cpuType, LabelSelector: `{service_name="x"}`, Step: 60}, ""},
	} {
		c.in.Start, c.in.End = start, end
		out := ask(t, q, "SelectSeries", c.in, &pb.SelectSeriesResponse{})
		var all []string
		for _, s := range out.Series {
			text := ":"
			if len(s.Labels) > 0 {
				text = s.Labels[0].Value + ":"
			}
			for _, p := range s.Points {
				if p.Value >= 1e6 {
					text += fmt.Sprintf(" %vms", p.Value/1e6)
				} else {
					text += fmt.Sprintf(" %v", p.Value)
				}
			}
			all = append(all, text)
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFlameGraph(t *testing.T) {
	q := fleet(t)
	in := &pb.SelectMergeStacktracesRequest{ProfileTypeID: cpuType, LabelSelector: `{service_name="shop"}`, Start: start, End: end}
	g := ask(t, q, "SelectMergeStacktraces", in, &pb.SelectMergeStacktracesResponse{}).Flamegraph
	want := &pb.FlameGraph{Names: []string{"total", "main.main", "shop.rest", "shop.work"}, Total: 320e6, MaxSelf: 240e6,
		Levels: []*pb.Level{{Values: []int64{0, 320e6, 0, 0}}, {Values: []int64{0, 320e6, 0, 1}}, {Values: []int64{0, 80e6, 80e6, 2, 0, 240e6, 240e6, 3}}}}
	if diff := cmp.Diff(want, g, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	// Cut to two nodes, the sums stay.
	in.MaxNodes = proto.Int64(2)
	g = ask(t, q, "SelectMergeStacktraces", in, &pb.SelectMergeStacktracesResponse{}).Flamegraph
	if g.Total != 320e6 || !cmp.Equal(g.Names, []string{"total", "main.main", "shop.work", "other"}) {
		t.Error(g)
	}
	// A format that is not known, or cannot be drawn, is a flame graph.
	for _, format := range []pb.ProfileFormat{pb.ProfileFormat_PROFILE_FORMAT_DOT, 99} {
		in.Format = format
		raw, err := proto.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := q.Call(t.Context(), "SelectMergeStacktraces", false, raw)
		out := &pb.SelectMergeStacktracesResponse{}
		if err := errors.Join(err, proto.Unmarshal(answer, out)); err != nil || out.Flamegraph.GetTotal() != 320e6 {
			t.Error(format, err)
		}
	}
	// Over all services, below a call site, and as JSON with fields of newer clients.
	answer, err := q.Call(t.Context(), "SelectMergeStacktraces", true, fmt.Appendf(nil, `{"profileTypeID":%q,"start":"%d","end":%d,
		"format":"PROFILE_FORMAT_OF_TOMORROW","newField":{"x":1},"stackTraceSelector":{"callSite":[{"name":"main.main"},{"name":"search.work"}]}}`, cpuType, start, end))
	out := &pb.SelectMergeStacktracesResponse{}
	if err := errors.Join(err, protojson.Unmarshal(answer, out)); err != nil || out.Flamegraph.GetTotal() != 120e6 {
		t.Error(string(answer), err)
	}
	for filter, want := range map[string]int64{
		`"includeFunctionNames":["shop.work"]`:                                        240e6,
		`"includeFunctionNames":["shop.work","shop.rest"]`:                            0,
		`"excludeFunctionNames":["shop.work"],"includeFunctionNameRegexes":["^main"]`: 240e6,
		`"excludeFunctionNameRegexes":["work$","search"]`:                             80e6,
		``: 480e6,
	} {
		answer, err := q.Call(t.Context(), "SelectMergeStacktraces", true, fmt.Appendf(nil, `{"profileTypeID":%q,"start":"%d","end":%d,
			"stackTraceSelector":{"frameFilter":{%s}}}`, cpuType, start, end, filter))
		out := &pb.SelectMergeStacktracesResponse{}
		if err := errors.Join(err, protojson.Unmarshal(answer, out)); err != nil || out.Flamegraph.GetTotal() != want {
			t.Error(filter, out.Flamegraph.GetTotal(), err)
		}
	}
	spans := ask(t, q, "SelectMergeSpanProfile", &pb.SelectMergeSpanProfileRequest{ProfileTypeID: cpuType, LabelSelector: "{}",
		SpanSelector: []string{"9a517183f26a089d"}, Start: start, End: end}, &pb.SelectMergeSpanProfileResponse{})
	if spans.Flamegraph.GetTotal() != 0 {
		t.Error("no sample has this span:", spans)
	}
}

func TestTree(t *testing.T) {
	q := fleet(t)
	in := &pb.SelectMergeStacktracesRequest{ProfileTypeID: cpuType, LabelSelector: `{service_name="shop"}`, Start: start, End: end,
		Format: pb.ProfileFormat_PROFILE_FORMAT_TREE}
	raw := ask(t, q, "SelectMergeStacktraces", in, &pb.SelectMergeStacktracesResponse{}).Tree
	number := func() uint64 {
		v, n := binary.Uvarint(raw)
		raw = raw[n:]
		return v
	}
	var read func(depth int) string
	read = func(depth int) string {
		size := number()
		text := fmt.Sprintf("%d %s ", depth, raw[:size])
		raw = raw[size:]
		text += fmt.Sprintf("%d\n", number())
		for range number() {
			text += read(depth + 1)
		}
		return text
	}
	if got, want := read(0), "0  0\n1 main.main 0\n2 shop.rest 80000000\n2 shop.work 240000000\n"; got != want || len(raw) != 0 {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPprof(t *testing.T) {
	q := fleet(t)
	raw, err := proto.Marshal(&pb.SelectMergeProfileRequest{ProfileTypeID: liveType, LabelSelector: `{}`, Start: start, End: end, MaxNodes: proto.Int64(1)})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := q.Call(t.Context(), "SelectMergeProfile", false, raw)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.NewDecoder(profile.Options{}).DecodeBytes("answer", answer)
	// The last snapshot of each of three processes, whatever max_nodes is.
	if err != nil || len(p.SampleTypes) != 1 || p.SampleTypes[0].Type != "inuse_objects" || p.Total(0) != 12 || p.Len() != 2 {
		t.Error(p, err)
	}
	out := ask(t, q, "SelectMergeStacktraces", &pb.SelectMergeStacktracesRequest{ProfileTypeID: liveType, Start: start, End: end,
		Format: pb.ProfileFormat_PROFILE_FORMAT_PPROF}, &pb.SelectMergeStacktracesResponse{})
	if n := len(out.Pprof.GetProfile().GetSample()); n != 2 {
		t.Error(n)
	}
}

func TestDiff(t *testing.T) {
	q := fleet(t)
	half := func(service string) *pb.SelectMergeStacktracesRequest {
		return &pb.SelectMergeStacktracesRequest{ProfileTypeID: cpuType, LabelSelector: `{service_name="` + service + `"}`, Start: start, End: end}
	}
	g := ask(t, q, "Diff", &pb.DiffRequest{Left: half("search"), Right: half("shop")}, &pb.DiffResponse{}).Flamegraph
	want := &pb.FlameGraphDiff{Names: []string{"total", "main.main", "search.rest", "search.work", "shop.rest", "shop.work"},
		Total: 480e6, MaxSelf: 240e6, LeftTicks: 160e6, RightTicks: 320e6, Levels: []*pb.Level{
			{Values: []int64{0, 160e6, 0, 0, 320e6, 0, 0}}, {Values: []int64{0, 160e6, 0, 0, 320e6, 0, 1}},
			{Values: []int64{0, 40e6, 40e6, 0, 0, 0, 2, 0, 120e6, 120e6, 0, 0, 0, 3, 0, 0, 0, 0, 80e6, 80e6, 4, 0, 0, 0, 0, 240e6, 240e6, 5}}}}
	if diff := cmp.Diff(want, g, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

func TestStatistics(t *testing.T) {
	q := fleet(t)
	stats := ask(t, q, "GetProfileStats", &pb.GetProfileStatsRequest{}, &pb.GetProfileStatsResponse{})
	if !stats.DataIngested || stats.OldestProfileTime != noon.Add(-time.Minute).UnixMilli() || stats.NewestProfileTime != noon.UnixMilli() {
		t.Error(stats)
	}
	for query, profiles := range map[string]uint64{`{service_name="shop"}`: 16, cpuType + `{service_name="shop"}`: 8, "{}": 24} {
		out := ask(t, q, "AnalyzeQuery", &pb.AnalyzeQueryRequest{Query: query, Start: start, End: end}, &pb.AnalyzeQueryResponse{})
		if out.QueryScopes[0].ProfileCount != profiles || out.QueryImpact.TotalBytesInTimeRange == 0 {
			t.Error(query, out)
		}
	}
	heat := ask(t, q, "SelectHeatmap", &pb.SelectHeatmapRequest{ProfileTypeID: liveType, LabelSelector: "{}", Step: 60, Start: start, End: end}, &pb.SelectHeatmapResponse{})
	counts := int32(0)
	for _, slot := range heat.Series[0].Slots {
		if len(slot.YMin) != heatRows || len(slot.Counts) != heatRows {
			t.Error(slot)
		}
		for _, n := range slot.Counts {
			counts += n
		}
	}
	if counts != 12 {
		t.Error(counts, "profiles are in the heatmap, want 12")
	}
}

func TestRender(t *testing.T) {
	q := fleet(t)
	query := cpuType + `{service_name="shop"}`
	text, err := q.Render(t.Context(), url.Values{"query": {query}, "from": {"now-1h"}, "format": {"of tomorrow"}, "groupBy": {"pod"}})
	var d document
	if err := errors.Join(err, json.Unmarshal(text, &d)); err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, v := range d.Timeline.Samples {
		sum += v
	}
	if d.Flamebearer.NumTicks != 320e6 || d.Metadata.Format != "single" || sum != 320e6 || len(d.Groups) != 2 || d.Timeline.DurationDelta != 15 {
		t.Errorf("%s", text)
	}
	text, err = q.RenderDiff(t.Context(), url.Values{"leftQuery": {query}, "leftFrom": {"now-1h"}, "rightQuery": {cpuType + "{}"}, "rightFrom": {fmt.Sprint(start)}})
	if err := errors.Join(err, json.Unmarshal(text, &d)); err != nil || d.LeftTicks != 320e6 || d.RightTicks != 480e6 || d.Metadata.Format != "double" {
		t.Errorf("%s %v", text, err)
	}
	for _, v := range []url.Values{{}, {"query": {"{}"}}, {"query": {query}, "from": {"now+1h"}}, {"query": {query}, "from": {"now-"}},
		{"query": {query}, "until": {"x"}}, {"query": {cpuType + "{x"}}, {"query": {query}, "from": {"now"}, "until": {"now-1h"}}} {
		if _, err := q.Render(t.Context(), v); !errors.Is(err, ErrRequest) {
			t.Error(v, err)
		}
	}
}

func TestWrongRequests(t *testing.T) {
	q := fleet(t)
	for _, c := range []struct {
		method, body string
		want         error
	}{
		{"Nothing", "{}", ErrUnimplemented},
		{"SelectSeries", "{", ErrRequest},
		{"SelectSeries", `{"profileTypeID":"x"}`, ErrRequest},
		{"SelectMergeStacktraces", `{"profileTypeID":"a:b","labelSelector":"{x=1}"}`, ErrRequest},
		{"SelectMergeStacktraces", `{"profileTypeID":"a:b","profileIdSelector":["7c9e6679-7425-40de-944b-e07fc1f90ae7"]}`, ErrUnimplemented},
		{"SelectMergeStacktraces", `{"profileTypeID":"a:b","stackTraceSelector":{"goPgo":{}}}`, ErrUnimplemented},
		{"SelectMergeStacktraces", `{"profileTypeID":"a:b","stackTraceSelector":{"frameFilter":{"includeFunctionNameRegexes":["("]}}}`, ErrRequest},
		{"SelectSeries", `{"profileTypeID":"a:b","stackTraceSelector":{"frameFilter":{"includeFunctionNames":["f"]}}}`, ErrUnimplemented},
		{"SelectHeatmap", `{"queryType":"HEATMAP_QUERY_TYPE_SPAN"}`, ErrUnimplemented},
		{"Diff", `{}`, ErrRequest},
		{"LabelNames", `{"start":"5","end":"4"}`, ErrRequest},
	} {
		if _, err := q.Call(t.Context(), c.method, true, []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s %s: %v, want %v", c.method, c.body, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Call(ctx, "LabelNames", true, []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzSelector(f *testing.F) {
	for _, text := range []string{`{}`, `cpu:x{a="b", c!~"d|e",}`, `{a="\"}"}`, `{a=~"("}`, `{"a.b/c" = "d"}`, "{a", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, s, err := parseSelector(text)
		if err != nil {
			return
		}
		// Written again, it is the same.
		again := name + "{"
		for _, m := range s {
			op := map[[2]bool]string{{false, false}: "=", {false, true}: "!=", {true, false}: "=~", {true, true}: "!~"}[[2]bool{m.regex != nil, m.not}]
			again += fmt.Sprintf("%q%s%q,", m.name, op, m.value)
		}
		other, same, err := parseSelector(again + "}")
		if err != nil || other != name || len(same) != len(s) {
			if len(again) < mostSelector {
				t.Fatalf("%q: %v", again, err)
			}
		}
		s.matches(func(string) string { return text })
	})
}
