package querier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/internal/profile"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// stacks is a selection of samples: whole profiles, or some of their stacks and spans.
type stacks struct {
	selection
	sites         []string // the beginning of the stacks, the root first
	spans, traces []string // one of them must be a label of the sample; none is all
	filter        *frameFilter
}

func (q *Querier) stacks(in *pb.SelectMergeStacktracesRequest) (s stacks, err error) {
	if len(in.GetProfileIdSelector()) > 0 {
		return s, fmt.Errorf("profiles by ID: %w", ErrUnimplemented)
	}
	if in.GetStackTraceSelector().GetGoPgo() != nil {
		return s, fmt.Errorf("profiles cut for PGO: %w", ErrUnimplemented)
	}
	if s.selection, err = q.selection(in.GetProfileTypeID(), in.GetLabelSelector(), in.GetStart(), in.GetEnd()); err != nil {
		return s, err
	}
	s.filter, err = newFrameFilter(in.GetStackTraceSelector().GetFrameFilter())
	for _, site := range in.GetStackTraceSelector().GetCallSite() {
		s.sites = append(s.sites, site.Name)
	}
	s.spans, s.traces = in.GetSpanSelector(), in.GetTraceIdSelector()
	return s, err
}

// Labels of samples. The ID of a span is profile_id where Go's clients for tracing set it.
var (
	spanLabels  = []string{"span_id", "profile_id"}
	traceLabels = []string{"trace_id"}
)

// keeps returns whether a row of a profile is selected.
func (s *stacks) keeps(p *profile.Profile) func(row int) bool {
	passes := s.filter.over(p)
	if len(s.spans)+len(s.traces) == 0 {
		return passes
	}
	known := map[profile.LabelsID]bool{}
	has := func(id profile.LabelsID, names, values []string) bool {
		return len(values) == 0 || slices.ContainsFunc(names, func(name string) bool {
			value := p.Dict.LabelText(id, name)
			return value != "" && slices.Contains(values, value)
		})
	}
	return func(row int) bool {
		id := p.Labels[row]
		keep, ok := known[id]
		if !ok {
			keep = has(id, spanLabels, s.spans) && has(id, traceLabels, s.traces)
			known[id] = keep
		}
		return keep && passes(row)
	}
}

// each calls do for the sum of each service's profiles that has the column.
func (q *Querier) each(ctx context.Context, s *stacks, do func(p *profile.Profile, column int) error) error {
	services, err := q.services(ctx, &s.selection)
	if err != nil {
		return err
	}
	for _, service := range services {
		p, err := q.store.Merge(ctx, s.query(service))
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return err
		}
		if column, ok := p.Column(s.column); ok {
			if err := do(p, column); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q *Querier) addTo(ctx context.Context, t *tree, side int, s *stacks) error {
	return q.each(ctx, s, func(p *profile.Profile, column int) error {
		return t.add(p, column, side, s.sites, s.keeps(p))
	})
}

// mostMerged bounds the sum of several services as Options.MaxBytes does.
const mostMerged = 512 << 20

// pprof returns the sum of all services as a pprof profile of one sample type, nil
// without samples. It is never cut.
func (q *Querier) pprof(ctx context.Context, s *stacks) ([]byte, error) {
	m := profile.NewMerger(profile.Options{MaxBytes: mostMerged})
	var raw bytes.Buffer
	found := 0
	err := q.each(ctx, s, func(p *profile.Profile, column int) error {
		raw.Reset()
		if err := s.only(p, column).EncodeRaw(&raw); err != nil {
			return err
		}
		found++
		err := m.Decode(p.Name, &raw)
		if errors.Is(err, profile.ErrTooLarge) {
			err = fmt.Errorf("%w: %w", store.ErrLarge, err)
		}
		return err
	})
	if err != nil || found == 0 {
		return nil, err
	}
	p, err := m.Profile()
	if err != nil {
		return nil, err
	}
	raw.Reset()
	err = p.EncodeRaw(&raw)
	return raw.Bytes(), err
}

// only returns the selected samples and column of a profile.
func (s *stacks) only(p *profile.Profile, column int) *profile.Profile {
	some := *p
	some.SampleTypes, some.DefaultSampleType = p.SampleTypes[column:column+1], ""
	some.Stacks, some.Labels, some.Values = nil, nil, make([][]int64, 1)
	keep := s.keeps(p)
	for row, stack := range p.Stacks {
		if v := p.Values[column][row]; v != 0 && keep(row) && s.begins(p, stack) {
			some.Stacks, some.Labels = append(some.Stacks, stack), append(some.Labels, p.Labels[row])
			some.Values[0] = append(some.Values[0], v)
		}
	}
	return &some
}

// begins reports whether a stack begins with the call sites.
func (s *stacks) begins(p *profile.Profile, stack profile.StackID) bool {
	if len(s.sites) == 0 {
		return true
	}
	var names []string
	for f := range p.Dict.Frames(stack) {
		names = append(names, p.Dict.FrameName(f))
	}
	slices.Reverse(names)
	return len(names) >= len(s.sites) && slices.Equal(names[:len(s.sites)], s.sites)
}

func (q *Querier) selectMergeStacktraces(
	ctx context.Context, in *pb.SelectMergeStacktracesRequest,
) (*pb.SelectMergeStacktracesResponse, error) {
	s, err := q.stacks(in)
	if err != nil {
		return nil, err
	}
	if in.Format == pb.ProfileFormat_PROFILE_FORMAT_PPROF {
		raw, err := q.pprof(ctx, &s)
		if err != nil || raw == nil {
			return &pb.SelectMergeStacktracesResponse{}, err
		}
		p := &pb.Profile{}
		return &pb.SelectMergeStacktracesResponse{Pprof: &pb.PprofProfile{Profile: p}}, proto.Unmarshal(raw, p)
	}
	t := &tree{}
	if err := q.addTo(ctx, t, 0, &s); err != nil {
		return nil, err
	}
	t.truncate(in.GetMaxNodes())
	if in.Format == pb.ProfileFormat_PROFILE_FORMAT_TREE {
		return &pb.SelectMergeStacktracesResponse{Tree: t.root.bytes(nil)}, nil
	}
	return &pb.SelectMergeStacktracesResponse{Flamegraph: t.flame()}, nil
}

// selectMergeSpanProfile is deprecated, and data sources still call it.
func (q *Querier) selectMergeSpanProfile(
	ctx context.Context, in *pb.SelectMergeSpanProfileRequest,
) (*pb.SelectMergeSpanProfileResponse, error) {
	format := in.Format
	if format == pb.ProfileFormat_PROFILE_FORMAT_PPROF {
		format = pb.ProfileFormat_PROFILE_FORMAT_FLAMEGRAPH // the answer has no place for it
	}
	out, err := q.selectMergeStacktraces(ctx, &pb.SelectMergeStacktracesRequest{ProfileTypeID: in.ProfileTypeID,
		LabelSelector: in.LabelSelector, Start: in.Start, End: in.End,
		MaxNodes: in.MaxNodes, Format: format, SpanSelector: in.SpanSelector})
	if err != nil {
		return nil, err
	}
	return &pb.SelectMergeSpanProfileResponse{Flamegraph: out.Flamegraph, Tree: out.Tree}, nil
}

// selectMergeProfile is deprecated since Pyroscope 2.2, and clients still call it.
func (q *Querier) selectMergeProfile(ctx context.Context, in *pb.SelectMergeProfileRequest) (*pb.Profile, error) {
	out, err := q.selectMergeStacktraces(ctx, &pb.SelectMergeStacktracesRequest{ProfileTypeID: in.ProfileTypeID,
		LabelSelector: in.LabelSelector, Start: in.Start, End: in.End, Format: pb.ProfileFormat_PROFILE_FORMAT_PPROF,
		StackTraceSelector: in.StackTraceSelector,
		ProfileIdSelector:  in.ProfileIdSelector, TraceIdSelector: in.TraceIdSelector})
	if err != nil || out.Pprof == nil {
		return &pb.Profile{}, err
	}
	return out.Pprof.Profile, nil
}

func (q *Querier) diff(ctx context.Context, in *pb.DiffRequest) (*pb.DiffResponse, error) {
	t := &tree{}
	for side, half := range []*pb.SelectMergeStacktracesRequest{in.Left, in.Right} {
		s, err := q.stacks(half)
		if err == nil {
			err = q.addTo(ctx, t, side, &s)
		}
		if err != nil {
			return nil, err
		}
	}
	t.truncate(max(in.Left.GetMaxNodes(), in.Right.GetMaxNodes()))
	return &pb.DiffResponse{Flamegraph: t.diff()}, nil
}
