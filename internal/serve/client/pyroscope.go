package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/termtext"
)

// columns are Pyroscope's profile types by the kind of profile whose columns they are.
// Pyroscope answers one of them at a time.
var columns = map[string][]string{
	"cpu": {"process_cpu:samples:count:cpu:nanoseconds", "process_cpu:cpu:nanoseconds:cpu:nanoseconds"},
	"heap": {"memory:alloc_objects:count:space:bytes", "memory:alloc_space:bytes:space:bytes",
		"memory:inuse_objects:count:space:bytes", "memory:inuse_space:bytes:space:bytes"},
	"goroutine": {"goroutine:goroutine:count:goroutine:count", "goroutines:goroutine:count:goroutine:count"},
	"mutex":     {"mutex:contentions:count:contentions:count", "mutex:delay:nanoseconds:contentions:count"},
	"block":     {"block:contentions:count:contentions:count", "block:delay:nanoseconds:contentions:count"},
}

// pyroscope asks a Pyroscope, or a server that answers as one, about a window.
type pyroscope struct {
	*peer
	most       int64 // bytes of an answer, and of a profile in memory
	address    string
	service    string
	selector   string
	start, end int64 // milliseconds
	dict       *profile.Dict
	decoder    *profile.Decoder
}

func openPyroscope(ctx context.Context, source string, q Query) (*pyroscope, error) {
	from, to, err := q.Window(time.Now())
	if err != nil {
		return nil, err
	}
	p := &pyroscope{peer: newPeer(source, Auth{Token: q.Token}), most: mostBytes,
		address: strings.TrimSuffix(strings.TrimPrefix(source, pyroscopePrefix), "/"), service: q.Service, start: from.UnixMilli(), end: to.UnixMilli(), dict: new(profile.Dict)}
	p.decoder = profile.NewDecoder(profile.Options{MaxBytes: p.most, Dict: p.dict, Rebase: true})
	p.selector = fmt.Sprintf("{service_name=%q}", q.Service)
	if q.Version == "" {
		return p, nil
	}
	known, err := p.labels(ctx)
	if err != nil {
		return nil, err
	}
	if known["version"] == "" {
		return nil, fmt.Errorf("%s: the profiles of %s have no version; leave -version out", source, q.Service)
	}
	p.selector = fmt.Sprintf("{service_name=%q,%s=%q}", q.Service, known["version"], q.Version)
	return p, nil
}

// Window returns the times of a query.
func (q *Query) Window(now time.Time) (from, to time.Time, err error) {
	to = now
	if q.To != "" {
		if to, err = parseTime(q.To); err != nil {
			return from, to, err
		}
	}
	from = to.Add(-q.Last)
	if q.Last <= 0 {
		from = to.Add(-time.Hour)
	}
	if q.From != "" {
		if from, err = parseTime(q.From); err != nil {
			return from, to, err
		}
	}
	if !from.Before(to) {
		return from, to, fmt.Errorf("the time from %s to %s ends before it begins",
			from.Format(time.RFC3339), to.Format(time.RFC3339))
	}
	return from, to, nil
}

func parseTime(s string) (time.Time, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 && n < 1<<33 {
		return time.Unix(n, 0), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fmt.Errorf("time %.60q: write it as 2026-03-04T10:00:00Z or in seconds since 1970", s)
	}
	return t, nil
}

// errUnimplemented is wrapped by the error of an RPC that the server does not have.
var errUnimplemented = errors.New("the server does not have it")

// post sends a message and returns the answer's bytes.
func (p *pyroscope) post(ctx context.Context, method string, in proto.Message) ([]byte, error) {
	body, err := proto.Marshal(in)
	if err != nil {
		return nil, err
	}
	address := p.address + "/querier.v1.QuerierService/" + method
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/proto")
	req.Header.Set("Connect-Protocol-Version", "1")
	resp, err := p.do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, p.most+1))
	if err == nil && int64(len(answer)) > p.most {
		err = fmt.Errorf("an answer of more than %d MiB", p.most>>20)
	}
	if err == nil && resp.StatusCode == http.StatusOK {
		return answer, nil
	}
	var said struct{ Code, Message string }
	switch {
	case err != nil:
	case resp.StatusCode == http.StatusNotFound, json.Unmarshal(answer, &said) == nil && said.Code == "unimplemented":
		err = errUnimplemented
	default:
		text := said.Message
		if text == "" {
			text = string(answer[:min(len(answer), 300)])
		}
		err = fmt.Errorf("%s: %s", resp.Status, termtext.Harmless(strings.TrimSpace(text)))
		if resp.StatusCode >= http.StatusInternalServerError {
			err = remoteError{err}
		}
	}
	return nil, fmt.Errorf("%s: %s: %w", p.source, method, err)
}

func (p *pyroscope) ask(ctx context.Context, method string, in, out proto.Message) error {
	answer, err := p.post(ctx, method, in)
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: %s: its answer is no message of querier.v1: %w", p.source, method, err)
	}
	return nil
}

// longest is the longest time of one question in milliseconds. By default a Pyroscope refuses
// longer ones.
const longest = 24 * 3600 * 1000

// pieces calls do for each part of the window that may be asked about at once. Both ends of a
// part belong to it.
func (p *pyroscope) pieces(do func(start, end int64) error) error {
	for start := p.start; start <= p.end; start += longest {
		if err := do(start, min(p.end, start+longest-1)); err != nil {
			return err
		}
	}
	return nil
}

// column returns the profile of one type, nil if there is none.
func (p *pyroscope) column(ctx context.Context, typeID string) (*profile.Profile, error) {
	var parts []*profile.Profile
	if err := p.pieces(func(start, end int64) error {
		one, err := p.piece(ctx, typeID, start, end)
		if one != nil {
			parts = append(parts, one)
		}
		return err
	}); err != nil || len(parts) == 0 {
		return nil, err
	}
	one := parts[0]
	if len(parts) > 1 {
		m := profile.NewMerger(profile.Options{MaxBytes: p.most, Dict: p.dict})
		for _, part := range parts {
			if err := m.Add(part); err != nil {
				return nil, err
			}
		}
		var err error
		if one, err = m.Profile(); err != nil {
			return nil, err
		}
	}
	if name := one.SampleTypes[0].Type; strings.HasPrefix(name, "inuse_") || name == "goroutine" {
		return one, p.scale(ctx, typeID, one)
	}
	return one, nil
}

// piece returns the profile of one type in a part of the window, nil if there is none. Every
// version of Pyroscope has SelectMergeProfile, whose answer is a pprof profile.
func (p *pyroscope) piece(ctx context.Context, typeID string, start, end int64) (*profile.Profile, error) {
	raw, err := p.post(ctx, "SelectMergeProfile", &pb.SelectMergeProfileRequest{
		ProfileTypeID: typeID, LabelSelector: p.selector, Start: start, End: end})
	if errors.Is(err, errUnimplemented) {
		out := &pb.SelectMergeStacktracesResponse{}
		err = p.ask(ctx, "SelectMergeStacktraces", &pb.SelectMergeStacktracesRequest{ProfileTypeID: typeID,
			LabelSelector: p.selector, Start: start, End: end, Format: pb.ProfileFormat_PROFILE_FORMAT_PPROF}, out)
		if err == nil && out.Pprof.GetProfile() != nil {
			raw, err = proto.Marshal(out.Pprof.Profile)
		}
	}
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	one, err := p.decoder.DecodeBytes(p.source+" "+typeID, raw)
	if err != nil {
		return nil, err
	}
	name := strings.Split(typeID, ":")[1]
	at, ok := one.Column(name)
	if !ok || one.Len() == 0 {
		return nil, nil
	}
	one.SampleTypes, one.Values = one.SampleTypes[at:at+1], one.Values[at:at+1]
	return one, nil
}

// series returns the values of a type in the steps of the window. A step has the time of its end,
// and a Pyroscope leaves out the last one if the window ends before that. So the rest of the
// window is a question of its own, with a step as long as the rest.
func (p *pyroscope) series(ctx context.Context, in *pb.SelectSeriesRequest) (all []*pb.Series, err error) {
	step := min(longest, int64(in.Step*1000))
	in.LabelSelector, in.Step = p.selector, float64(step)/1000
	for in.Start = p.start; in.Start < p.end; in.Start = in.End + 1 {
		if in.End = in.Start + min(p.end-in.Start, longest)/step*step; in.End == in.Start {
			in.Step = max(1, float64(p.end-in.Start)/1000)
			in.End += int64(in.Step * 1000)
		}
		out := &pb.SelectSeriesResponse{}
		if err := p.ask(ctx, "SelectSeries", in, out); err != nil {
			return nil, err
		}
		all = append(all, out.Series...)
	}
	return all, nil
}

// pushEvery is the interval in seconds at which pyroscope-go and Alloy push by default.
const pushEvery = 15

// scale makes a state of the sum of all snapshots that Pyroscope answers: it has the mean
// total of a step in which each process pushes once.
func (p *pyroscope) scale(ctx context.Context, typeID string, sum *profile.Profile) error {
	all, err := p.series(ctx, &pb.SelectSeriesRequest{ProfileTypeID: typeID, Step: pushEvery})
	if err != nil {
		return err
	}
	total, largest, n := 0.0, 0.0, 0
	for _, s := range all {
		for _, point := range s.Points {
			total += point.Value
			largest = max(largest, point.Value)
			n++
		}
	}
	if n == 0 || float64(sum.Total(0)) <= largest {
		return nil // it is a state already
	}
	factor := total / float64(n) / float64(sum.Total(0))
	for row, v := range sum.Values[0] {
		sum.Values[0][row] = int64(float64(v)*factor + 0.5)
	}
	return nil
}

// kind returns the profiles of a kind as one with all columns, nil if there are none.
func (p *pyroscope) kind(ctx context.Context, kind string) (*profile.Profile, error) {
	types, ok := columns[kind]
	if !ok {
		return nil, fmt.Errorf("%s: kind %.40q: it is cpu, heap, goroutine, mutex or block", p.source, kind)
	}
	var parts []*profile.Profile
	var wanted []profile.ValueType
	for _, id := range types {
		words := strings.Split(id, ":")
		t := profile.ValueType{Type: words[1], Unit: words[2]}
		one, err := p.column(ctx, id)
		if err != nil {
			return nil, err
		}
		if one != nil {
			one.SampleTypes = []profile.ValueType{t}
			// A server may know the same profiles under both names of a type.
			if !slices.ContainsFunc(parts, func(p *profile.Profile) bool { return same(p, one) }) {
				parts = append(parts, one)
			}
		}
		// A heap profile of Go has four columns, also if one of them is empty.
		if (one != nil || kind == "heap") && !slices.Contains(wanted, t) {
			wanted = append(wanted, t)
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	m := profile.NewMerger(profile.Options{MaxBytes: p.most, Dict: p.dict})
	for _, one := range parts {
		values := make([][]int64, len(wanted))
		for t := range values {
			values[t] = make([]int64, one.Len())
			if wanted[t] == one.SampleTypes[0] {
				values[t] = one.Values[0]
			}
		}
		one.SampleTypes, one.Values, one.DefaultSampleType = wanted, values, ""
		if err := m.Add(one); err != nil {
			return nil, err
		}
	}
	all, err := m.Profile()
	if err != nil {
		return nil, err
	}
	all.Name, all.TimeNanos = p.service+" "+kind, p.end*1e6
	all.DurationNanos = 0
	if kind != "goroutine" {
		all.DurationNanos = (p.end - p.start) * 1e6
	}
	return all, nil
}

// same reports whether two profiles of one column and one dictionary are equal.
func same(a, b *profile.Profile) bool {
	return a.SampleTypes[0] == b.SampleTypes[0] && slices.Equal(a.Stacks, b.Stacks) &&
		slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Values[0], b.Values[0])
}

// pyroscopeWindow writes the profiles that a diagnosis rests on into a folder. Allocations
// in the window and the live heap are a profile each, as a process has them.
func pyroscopeWindow(ctx context.Context, source string, q Query, dir string) error {
	p, err := openPyroscope(ctx, source, q)
	if err != nil {
		return err
	}
	found := 0
	write := func(kind string, one *profile.Profile) error {
		name := filepath.Join(dir, fmt.Sprintf("%02d-%s.pb", found, kind))
		found++
		return result.Create(name, one.EncodeRaw)
	}
	for _, kind := range []string{"cpu", "heap", "goroutine"} {
		one, err := p.kind(ctx, kind)
		if err == nil && one != nil && kind == "heap" {
			allocs, live := halves(one)
			if allocs.Total(1) > 0 {
				if err = write("allocs", allocs); err != nil {
					return err
				}
			}
			if one = live; live.Total(3) == 0 {
				one = nil
			}
		}
		if err == nil && one != nil {
			err = write(kind, one)
		}
		if err != nil {
			return err
		}
	}
	if found == 0 {
		return p.none()
	}
	return nil
}

func (p *pyroscope) none() error {
	return fmt.Errorf("%s: no profile of %s from %s to %s", p.source, p.service,
		time.UnixMilli(p.start).UTC().Format(time.RFC3339), time.UnixMilli(p.end).UTC().Format(time.RFC3339))
}

// halves splits a heap profile into the allocations of the window and a snapshot. Live
// objects were allocated, so a snapshot has at least as many allocations.
func halves(all *profile.Profile) (allocs, live *profile.Profile) {
	a, l := *all, *all
	a.Values, l.Values = slices.Clone(all.Values), slices.Clone(all.Values)
	for t := range 2 { // objects, then bytes, as in columns
		a.Values[t+2] = make([]int64, all.Len())
		l.Values[t] = make([]int64, all.Len())
		for row, v := range all.Values[t] {
			l.Values[t][row] = max(v, all.Values[t+2][row])
		}
	}
	l.DurationNanos = 0
	return &a, &l
}

// pyroscopeProfile writes the profile of a kind into a file.
func pyroscopeProfile(ctx context.Context, source, kind string, q Query, file string) error {
	p, err := openPyroscope(ctx, source, q)
	if err != nil {
		return err
	}
	one, err := p.kind(ctx, kind)
	if err != nil {
		return err
	}
	if one == nil {
		return p.none()
	}
	return result.Create(file, one.Encode)
}
