package querier

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
)

// document is a flame graph in the JSON form that Pyroscope's older API answers.
type document struct {
	Version     int         `json:"version"`
	Flamebearer flamebearer `json:"flamebearer"`
	Metadata    struct {
		Format     string `json:"format"` // "single", or "double" for a comparison
		SpyName    string `json:"spyName"`
		SampleRate int    `json:"sampleRate"`
		Units      string `json:"units"`
		Name       string `json:"name"`
	} `json:"metadata"`
	Timeline   *timeline            `json:"timeline"`
	Groups     map[string]*timeline `json:"groups"`
	LeftTicks  int64                `json:"leftTicks,omitempty"`
	RightTicks int64                `json:"rightTicks,omitempty"`
}

type flamebearer struct {
	Names    []string  `json:"names"`
	Levels   [][]int64 `json:"levels"`
	NumTicks int64     `json:"numTicks"`
	MaxSelf  int64     `json:"maxSelf"`
}

// timeline is a value for each step, 0 where there is none.
type timeline struct {
	StartTime     int64   `json:"startTime"` // seconds
	Samples       []int64 `json:"samples"`
	DurationDelta int64   `json:"durationDelta"` // seconds
}

// Render answers GET /pyroscope/render: the flame graph and the timeline of a query. Any
// format but JSON is answered with JSON.
func (q *Querier) Render(ctx context.Context, v url.Values) ([]byte, error) {
	in, err := q.asked(v, "query", "from", "until")
	if err != nil {
		return nil, err
	}
	out, err := q.selectMergeStacktraces(ctx, in)
	if err != nil {
		return nil, err
	}
	p, err := parseType(in.ProfileTypeID)
	if err != nil {
		return nil, err
	}
	d := newDocument("single", p, out.Flamegraph.Names, out.Flamegraph.Levels)
	d.Flamebearer.NumTicks, d.Flamebearer.MaxSelf = out.Flamegraph.Total, out.Flamegraph.MaxSelf
	step := max(usualStep.Milliseconds(), (in.End-in.Start)/mostPoints/1000*1000)
	aggregation := pb.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_SUM
	if v.Get("aggregation") == "avg" {
		aggregation = pb.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_AVERAGE
	}
	series, err := q.selectSeries(ctx, &pb.SelectSeriesRequest{
		ProfileTypeID: in.ProfileTypeID, LabelSelector: in.LabelSelector, Start: in.Start, End: in.End,
		Step: float64(step) / 1000, GroupBy: v["groupBy"], Aggregation: &aggregation})
	if err != nil {
		return nil, err
	}
	d.Timeline = timelineOf(nil, in.Start, in.End, step)
	for _, s := range series.Series {
		one := timelineOf(s, in.Start, in.End, step)
		for i, value := range one.Samples {
			d.Timeline.Samples[i] += value
		}
		if len(v["groupBy"]) > 0 {
			if d.Groups == nil {
				d.Groups = map[string]*timeline{}
			}
			name := "*"
			if len(s.Labels) > 0 {
				name = s.Labels[0].Value
			}
			d.Groups[name] = one
		}
	}
	return json.Marshal(d)
}

// mostPoints is about how many points a timeline has.
const mostPoints = 300

func timelineOf(s *pb.Series, start, end, step int64) *timeline {
	t := &timeline{StartTime: start / 1000, DurationDelta: step / 1000, Samples: make([]int64, (end-start)/step+2)}
	for _, p := range s.GetPoints() {
		if i := (p.Timestamp - start) / step; i >= 0 && i < int64(len(t.Samples)) {
			t.Samples[i] = int64(p.Value)
		}
	}
	return t
}

// RenderDiff answers GET /pyroscope/render-diff: one query against another.
func (q *Querier) RenderDiff(ctx context.Context, v url.Values) ([]byte, error) {
	left, err := q.asked(v, "leftQuery", "leftFrom", "leftUntil")
	if err != nil {
		return nil, err
	}
	right, err := q.asked(v, "rightQuery", "rightFrom", "rightUntil")
	if err != nil {
		return nil, err
	}
	p, err := parseType(left.ProfileTypeID)
	if err != nil {
		return nil, err
	}
	if other, err := parseType(right.ProfileTypeID); err != nil || other != p {
		return nil, bad("the two sides have different profile types")
	}
	out, err := q.diff(ctx, &pb.DiffRequest{Left: left, Right: right})
	if err != nil {
		return nil, err
	}
	g := out.Flamegraph
	d := newDocument("double", p, g.Names, g.Levels)
	d.Flamebearer.NumTicks, d.Flamebearer.MaxSelf = g.Total, g.MaxSelf
	d.LeftTicks, d.RightTicks = g.LeftTicks, g.RightTicks
	return json.Marshal(d)
}

func newDocument(format string, p profileType, names []string, rows []*pb.Level) *document {
	d := &document{Version: 1, Flamebearer: flamebearer{Names: names, Levels: [][]int64{}}}
	d.Metadata.Format, d.Metadata.Name = format, p.column
	d.Metadata.SampleRate, d.Metadata.Units = 100, unitOf(p.column)
	switch d.Metadata.Units {
	case "nanoseconds": // samples of a nanosecond each
		d.Metadata.Units, d.Metadata.SampleRate = "samples", 1e9
	case "count":
		d.Metadata.Units = "objects"
	}
	for _, row := range rows {
		d.Flamebearer.Levels = append(d.Flamebearer.Levels, row.Values)
	}
	return d
}

// asked reads one query of an address, such as process_cpu:cpu:…{service_name="shop"}.
func (q *Querier) asked(v url.Values, query, from, until string) (*pb.SelectMergeStacktracesRequest, error) {
	text := v.Get(query)
	typeID, rest, _ := strings.Cut(text, "{")
	if typeID == "" {
		return nil, bad("%s=%.60q: begin it with a profile type", query, text)
	}
	in := &pb.SelectMergeStacktracesRequest{ProfileTypeID: strings.TrimSpace(typeID)}
	if rest != "" {
		in.LabelSelector = "{" + rest
	}
	for _, name := range []string{"max-nodes", "maxNodes"} {
		if n, err := strconv.ParseInt(v.Get(name), 10, 64); err == nil && n > 0 {
			in.MaxNodes = &n
		}
	}
	now := q.now()
	start, err := parseTime(v.Get(from), now, now.Add(-usual))
	if err != nil {
		return nil, err
	}
	end, err := parseTime(v.Get(until), now, now)
	if err != nil {
		return nil, err
	}
	first, last, err := q.window(start.UnixMilli(), end.UnixMilli())
	in.Start, in.End = first.UnixMilli(), last.UnixMilli()-1
	return in, err
}

var timeUnits = map[byte]time.Duration{
	's': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour,
}

// parseTime reads a time as "now-1h", or in seconds, milliseconds or nanoseconds since
// 1970.
func parseTime(s string, now, absent time.Time) (time.Time, error) {
	if s == "" {
		return absent, nil
	}
	if rest, ok := strings.CutPrefix(s, "now"); ok {
		if rest == "" {
			return now, nil
		}
		n, err := strconv.ParseInt(rest[1:max(1, len(rest)-1)], 10, 32)
		by := timeUnits[rest[len(rest)-1]]
		if err != nil || rest[0] != '-' || by == 0 || n < 0 || n > int64(200*365*24*time.Hour/by) {
			return now, bad("time %.40q: write it as now-1h", s)
		}
		return now.Add(-time.Duration(n) * by), nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil || n < 0:
		return now, bad("time %.40q: write it as now-1h or in seconds since 1970", s)
	case n < 1e11:
		return time.Unix(n, 0), nil
	case n < 1e14:
		return time.UnixMilli(n), nil
	}
	return time.Unix(0, n), nil
}
