package querier

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// stream is a column of a series of the store. Pyroscope calls it a series.
type stream struct {
	*store.Series
	*pb.ProfileType
}

// label returns a label of the stream. Those with underscores are Pyroscope's own.
func (s stream) label(name string) string {
	switch name {
	case "service_name", "__service_name__":
		return s.Service
	case "__profile_type__":
		return s.ID
	case "__name__":
		return s.Name
	case "__type__":
		return s.SampleType
	case "__unit__":
		return s.SampleUnit
	case "__period_type__":
		return s.PeriodType
	case "__period_unit__":
		return s.PeriodUnit
	}
	return s.Labels[name]
}

var ownLabels = []string{"__name__", "__period_type__", "__period_unit__", "__profile_type__", "__service_name__",
	"__type__", "__unit__", "service_name"}

// streams calls do for the streams of a time that one of the selectors matches.
func (q *Querier) streams(ctx context.Context, start, end int64, matchers []string, do func(stream)) error {
	from, to, err := q.window(start, end)
	if err != nil {
		return err
	}
	selectors, err := parseSelectors(matchers)
	if err != nil {
		return err
	}
	all, err := q.store.Series(ctx, from, to)
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].Kind == store.Figures {
			continue
		}
		for _, column := range all[i].Figures {
			s := stream{&all[i], profileType{all[i].Kind, column}.message()}
			if anyMatches(selectors, s.label) {
				do(s)
			}
		}
	}
	return nil
}

func (q *Querier) profileTypes(ctx context.Context, in *pb.ProfileTypesRequest) (*pb.ProfileTypesResponse, error) {
	found := map[string]*pb.ProfileType{}
	err := q.streams(ctx, in.Start, in.End, nil, func(s stream) { found[s.ID] = s.ProfileType })
	out := &pb.ProfileTypesResponse{}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		out.ProfileTypes = append(out.ProfileTypes, found[id])
	}
	return out, err
}

// anyNames is the key of a context whose client can read all names of labels.
type anyNames struct{}

// WithAnyNames returns the context of a client that can read names with other characters than
// letters, digits and underscores, and writes them in quotes. Others do not get such labels.
func WithAnyNames(ctx context.Context) context.Context {
	return context.WithValue(ctx, anyNames{}, true)
}

var usualName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// readable returns whether a client can read the name of a label.
func readable(ctx context.Context) func(name string) bool {
	if ctx.Value(anyNames{}) != nil {
		return func(string) bool { return true }
	}
	return usualName.MatchString
}

func (q *Querier) labelNames(ctx context.Context, in *pb.LabelNamesRequest) (*pb.LabelNamesResponse, error) {
	found, can := map[string]bool{}, readable(ctx)
	err := q.streams(ctx, in.Start, in.End, in.Matchers, func(s stream) {
		for name := range s.Labels {
			if can(name) {
				found[name] = true
			}
		}
		for _, name := range ownLabels {
			found[name] = true
		}
	})
	return &pb.LabelNamesResponse{Names: slices.Sorted(maps.Keys(found))}, err
}

func (q *Querier) labelValues(ctx context.Context, in *pb.LabelValuesRequest) (*pb.LabelValuesResponse, error) {
	found := map[string]bool{}
	err := q.streams(ctx, in.Start, in.End, in.Matchers, func(s stream) {
		if value := s.label(in.Name); value != "" {
			found[value] = true
		}
	})
	return &pb.LabelValuesResponse{Names: slices.Sorted(maps.Keys(found))}, err
}

// series answers the distinct sets of labels, reduced to some names if these are given.
func (q *Querier) series(ctx context.Context, in *pb.SeriesRequest) (*pb.SeriesResponse, error) {
	found, can := map[string]*pb.Labels{}, readable(ctx)
	err := q.streams(ctx, in.Start, in.End, in.Matchers, func(s stream) {
		names := in.LabelNames
		if len(names) == 0 {
			names = append(slices.Collect(maps.Keys(s.Labels)), ownLabels...)
		}
		id, labels := s.group(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !can(name) }))
		if len(labels) > 0 {
			found[id] = &pb.Labels{Labels: labels}
		}
	})
	out := &pb.SeriesResponse{}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		out.LabelsSet = append(out.LabelsSet, found[id])
	}
	return out, err
}

// group returns the labels of some names that the stream has, sorted, and a text that is
// the same for the same labels.
func (s stream) group(names []string) (id string, labels []*pb.LabelPair) {
	for _, name := range names {
		if value := s.label(name); value != "" {
			labels = append(labels, &pb.LabelPair{Name: name, Value: value})
		}
	}
	slices.SortFunc(labels, func(a, b *pb.LabelPair) int { return cmp.Compare(a.Name, b.Name) })
	labels = slices.CompactFunc(labels, func(a, b *pb.LabelPair) bool { return a.Name == b.Name })
	for _, l := range labels {
		id += l.Name + "\x00" + l.Value + "\x00"
	}
	return id, labels
}
