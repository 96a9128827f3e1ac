package pyroscopetest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

// Grafana's data source and its Profiles Drilldown use the client of Pyroscope's API.
// These are the requests that they make, in their order, with that client.
func TestGrafana(t *testing.T) {
	s, err := serve.Open(serve.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	}()
	now := time.Now()
	for _, service := range []string{"shop", "pay"} {
		var b bytes.Buffer
		if err := profiletest.NewCPU().CPU(4, service+".work@w.go:7 main.main@m.go:1").Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(ctx, store.Entry{Service: service, Labels: store.Labels{"pod": service + "-0"}, Time: now}, b.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(web.New(s, web.Options{Log: slog.New(slog.DiscardHandler)}))
	defer server.Close()
	for form, opts := range map[string][]connect.ClientOption{"proto": nil, "gzip": {connect.WithSendGzip()}, "JSON": {connect.WithProtoJSON()}} {
		t.Run(form, func(t *testing.T) {
			ask(t, querierv1connect.NewQuerierServiceClient(server.Client(), server.URL, opts...), now)
		})
	}
}

func ask(t *testing.T, c querierv1connect.QuerierServiceClient, now time.Time) {
	ctx := t.Context()
	start, end := now.Add(-time.Hour).UnixMilli(), now.Add(time.Minute).UnixMilli()
	const cpu, shop = "process_cpu:cpu:nanoseconds:cpu:nanoseconds", `{service_name="shop"}`

	types, err := c.ProfileTypes(ctx, connect.NewRequest(&querierv1.ProfileTypesRequest{Start: start, End: end}))
	if err != nil || len(types.Msg.ProfileTypes) != 2 || types.Msg.ProfileTypes[0].ID != cpu {
		t.Fatal(types, err)
	}
	names, err := c.LabelNames(ctx, connect.NewRequest(&typesv1.LabelNamesRequest{Matchers: []string{cpu + "{}"}, Start: start, End: end}))
	if err != nil || !strings.Contains(strings.Join(names.Msg.Names, " "), "pod service_name") {
		t.Error(names, err)
	}
	values, err := c.LabelValues(ctx, connect.NewRequest(&typesv1.LabelValuesRequest{Name: "pod", Matchers: []string{shop}, Start: start, End: end}))
	if err != nil || strings.Join(values.Msg.Names, " ") != "shop-0" {
		t.Error(values, err)
	}
	sets, err := c.Series(ctx, connect.NewRequest(&querierv1.SeriesRequest{LabelNames: []string{"service_name", "__profile_type__"}, Start: start, End: end}))
	if err != nil || len(sets.Msg.LabelsSet) != 4 {
		t.Error(sets, err)
	}
	limit := int64(1)
	series, err := c.SelectSeries(ctx, connect.NewRequest(&querierv1.SelectSeriesRequest{ProfileTypeID: cpu, LabelSelector: shop,
		Start: start, End: end, Step: 15, GroupBy: []string{"service_name"}, Limit: &limit}))
	if err != nil || len(series.Msg.Series) != 1 || series.Msg.Series[0].Points[0].Value != 40e6 {
		t.Error(series, err)
	}
	nodes := int64(16384)
	flame := &querierv1.SelectMergeStacktracesRequest{ProfileTypeID: cpu, LabelSelector: shop, Start: start, End: end, MaxNodes: &nodes}
	merged, err := c.SelectMergeStacktraces(ctx, connect.NewRequest(flame))
	if err != nil || merged.Msg.Flamegraph.GetTotal() != 40e6 || len(merged.Msg.Flamegraph.Levels) != 3 {
		t.Error(merged, err)
	}
	//lint:ignore SA1019 Grafana still calls it
	spans, err := c.SelectMergeSpanProfile(ctx, connect.NewRequest(&querierv1.SelectMergeSpanProfileRequest{ProfileTypeID: cpu, LabelSelector: shop,
		SpanSelector: []string{"9a517183f26a089d"}, Start: start, End: end}))
	if err != nil || spans.Msg.Flamegraph.GetTotal() != 0 {
		t.Error(spans, err)
	}
	//lint:ignore SA1019 Grafana still calls it
	pprof, err := c.SelectMergeProfile(ctx, connect.NewRequest(&querierv1.SelectMergeProfileRequest{ProfileTypeID: cpu, LabelSelector: shop, Start: start, End: end}))
	if err != nil || len(pprof.Msg.Sample) != 1 || pprof.Msg.Sample[0].Value[0] != 40e6 {
		t.Error(pprof, err)
	}
	diff, err := c.Diff(ctx, connect.NewRequest(&querierv1.DiffRequest{Left: flame, Right: flame}))
	if err != nil || diff.Msg.Flamegraph.GetLeftTicks() != 40e6 {
		t.Error(diff, err)
	}
	heat, err := c.SelectHeatmap(ctx, connect.NewRequest(&querierv1.SelectHeatmapRequest{ProfileTypeID: cpu, LabelSelector: shop, Start: start, End: end, Step: 60,
		QueryType: querierv1.HeatmapQueryType_HEATMAP_QUERY_TYPE_INDIVIDUAL}))
	if err != nil || len(heat.Msg.Series) != 1 {
		t.Error(heat, err)
	}
	stats, err := c.GetProfileStats(ctx, connect.NewRequest(&typesv1.GetProfileStatsRequest{}))
	if err != nil || !stats.Msg.DataIngested {
		t.Error(stats, err)
	}
	if _, err := c.AnalyzeQuery(ctx, connect.NewRequest(&querierv1.AnalyzeQueryRequest{Query: shop, Start: start, End: end})); err != nil {
		t.Error(err)
	}
	_, err = c.SelectMergeStacktraces(ctx, connect.NewRequest(&querierv1.SelectMergeStacktracesRequest{ProfileTypeID: cpu,
		ProfileIdSelector: []string{"7c9e6679-7425-40de-944b-e07fc1f90ae7"}}))
	if connect.CodeOf(err) != connect.CodeUnimplemented {
		t.Error(err)
	}
}
