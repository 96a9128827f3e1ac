package querier

import (
	"context"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

func (q *Querier) profileStats(ctx context.Context, _ *pb.GetProfileStatsRequest) (*pb.GetProfileStatsResponse, error) {
	first, last, err := q.store.Span(ctx)
	if err != nil || first.IsZero() {
		return &pb.GetProfileStatsResponse{}, err
	}
	return &pb.GetProfileStatsResponse{DataIngested: true,
		OldestProfileTime: first.UnixMilli(), NewestProfileTime: last.UnixMilli()}, nil
}

// analyzeQuery answers how much a query would read. Its text is a selector, with or
// without a profile type before it.
func (q *Querier) analyzeQuery(ctx context.Context, in *pb.AnalyzeQueryRequest) (*pb.AnalyzeQueryResponse, error) {
	name, sel, err := parseSelector(in.Query)
	if err != nil {
		return nil, err
	}
	s := selection{selector: sel}
	if name != "" {
		if s.profileType, err = parseType(name); err != nil {
			return nil, err
		}
	}
	if s.from, s.to, err = q.window(in.Start, in.End); err != nil {
		return nil, err
	}
	services, err := q.services(ctx, &s)
	if err != nil {
		return nil, err
	}
	scope := &pb.QueryScope{ComponentType: "Store", ComponentCount: 1, BlockCount: uint64(len(services))}
	for _, service := range services {
		entries, err := q.store.Select(ctx, s.query(service))
		if err != nil {
			return nil, err
		}
		series := map[string]bool{}
		for i := range entries {
			if e := &entries[i]; e.Kind != store.Figures {
				series[e.Kind+"\x00"+identity(e)] = true
				scope.ProfileCount++
				scope.ProfileBytes += uint64(e.Size)
			}
		}
		scope.SeriesCount += uint64(len(series))
	}
	impact := &pb.QueryImpact{TotalBytesInTimeRange: scope.ProfileBytes, TotalQueriedSeries: scope.SeriesCount}
	return &pb.AnalyzeQueryResponse{QueryScopes: []*pb.QueryScope{scope}, QueryImpact: impact}, nil
}
