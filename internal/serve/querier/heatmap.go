package querier

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// heatRows is how many ranges of values a heatmap has; Pyroscope has as many.
const heatRows = 20

// selectHeatmap answers how many profiles had how large a sum, by step and range of sums.
func (q *Querier) selectHeatmap(ctx context.Context, in *pb.SelectHeatmapRequest) (*pb.SelectHeatmapResponse, error) {
	if in.QueryType == pb.HeatmapQueryType_HEATMAP_QUERY_TYPE_SPAN {
		return nil, fmt.Errorf("a heatmap of spans: %w", ErrUnimplemented)
	}
	s, err := q.selection(in.ProfileTypeID, in.LabelSelector, in.Start, in.End)
	if err != nil {
		return nil, err
	}
	lines, err := q.lines(ctx, &s, in.GroupBy, stepsOf(s.from, in.Step))
	if err != nil || len(lines) == 0 {
		return &pb.SelectHeatmapResponse{}, err
	}
	low, high := lines[0].bounds()
	for _, l := range lines[1:] {
		a, b := l.bounds()
		low, high = min(low, a), max(high, b)
	}
	if high == low {
		high = low + 1
	}
	height := (high - low) / heatRows
	var minima []float64
	for row := range heatRows {
		minima = append(minima, low+float64(row)*height)
	}
	out := &pb.SelectHeatmapResponse{}
	totals := map[*pb.HeatmapSeries]float64{}
	for _, l := range lines {
		one := &pb.HeatmapSeries{Labels: l.labels}
		for _, at := range slices.Sorted(maps.Keys(l.at)) {
			if len(out.Series)*len(one.Slots) > mostCells/heatRows {
				return nil, fmt.Errorf("%w: choose a longer step, or fewer groups", store.ErrLarge)
			}
			slot := &pb.HeatmapSlot{Timestamp: at, YMin: minima, Counts: make([]int32, heatRows)}
			for _, m := range l.at[at] {
				row := min(int((m.sum/m.n-low)/height), heatRows-1)
				slot.Counts[row] += int32(m.n)
				totals[one] += m.sum
			}
			one.Slots = append(one.Slots, slot)
		}
		out.Series = append(out.Series, one)
	}
	if n := in.GetLimit(); n > 0 && n < int64(len(out.Series)) {
		slices.SortStableFunc(out.Series, func(a, b *pb.HeatmapSeries) int { return cmp.Compare(totals[b], totals[a]) })
		out.Series = out.Series[:n]
	}
	return out, nil
}

// bounds returns the least and the largest value of a process in a step.
func (l *line) bounds() (low, high float64) {
	first := true
	for _, processes := range l.at {
		for _, m := range processes {
			v := m.sum / m.n
			if first {
				low, high, first = v, v, false
			}
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}
