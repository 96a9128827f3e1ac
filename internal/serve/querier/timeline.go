package querier

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// steps divides a time. A step is named for its end, which belongs to it.
type steps struct{ start, step int64 } // milliseconds

// usualStep is the step of a query that gives none.
const usualStep = 15 * time.Second

func stepsOf(start time.Time, seconds float64) steps {
	step := usualStep.Milliseconds()
	if ms := seconds * 1000; ms >= 1 && ms < math.MaxInt32*1000 {
		step = int64(ms)
	}
	return steps{start.UnixMilli(), step}
}

func (s steps) of(t time.Time) int64 {
	return s.start + (t.UnixMilli()-s.start+s.step-1)/s.step*s.step
}

// line is the values of one group over time.
type line struct {
	id     string
	labels []*pb.LabelPair
	at     map[int64]map[string]*mean // step → process → its values there
}

type mean struct{ sum, n float64 }

// mostCells bounds the values of all lines.
const mostCells = 1 << 20

// identity is the same for the entries of one process.
func identity(e *store.Entry) string {
	var b strings.Builder
	b.WriteString(e.Service)
	for _, name := range slices.Sorted(maps.Keys(e.Labels)) {
		fmt.Fprintf(&b, "\x00%s\x00%s", name, e.Labels[name])
	}
	return b.String()
}

// lines returns the values of a selection by group and step.
func (q *Querier) lines(ctx context.Context, s *selection, groupBy []string, by steps) ([]*line, error) {
	groups := map[string]*line{}
	before := map[string]int64{} // process → the value of its snapshot before
	cells := 0
	id := s.message()
	err := q.entries(ctx, s, func(e *store.Entry, v int64) error {
		process := identity(e)
		if s.grows() && e.Kind == store.Heap {
			last, known := before[process]
			before[process] = v
			if !known {
				return nil // the first snapshot has nothing to subtract
			}
			if v >= last { // otherwise it has restarted
				v -= last
			}
		}
		group, labels := stream{&store.Series{Service: e.Service, Labels: e.Labels}, id}.group(groupBy)
		l := groups[group]
		if l == nil {
			l = &line{group, labels, map[int64]map[string]*mean{}}
			groups[group] = l
		}
		at := by.of(e.Time)
		if l.at[at] == nil {
			l.at[at] = map[string]*mean{}
		}
		m := l.at[at][process]
		if m == nil {
			if cells++; cells > mostCells {
				return fmt.Errorf("%w: choose a longer step, or fewer groups", store.ErrLarge)
			}
			m = &mean{}
			l.at[at][process] = m
		}
		m.sum += float64(v)
		m.n++
		return nil
	})
	return slices.SortedFunc(maps.Values(groups), func(a, b *line) int { return cmp.Compare(a.id, b.id) }), err
}

// point returns the value of a step: the sum over its processes. Of a state, each process
// counts with its mean.
func (l *line) point(at int64, state, average bool) float64 {
	total := mean{}
	for _, m := range l.at[at] {
		if state && !average {
			total.sum += m.sum / m.n
			continue
		}
		total.sum += m.sum
		total.n += m.n
	}
	if average && total.n > 0 {
		return total.sum / total.n
	}
	return total.sum
}

func (q *Querier) selectSeries(ctx context.Context, in *pb.SelectSeriesRequest) (*pb.SelectSeriesResponse, error) {
	if s := in.StackTraceSelector; len(s.GetCallSite()) > 0 || s.GetFrameFilter() != nil {
		return nil, fmt.Errorf("a timeline of some stacks: %w", ErrUnimplemented)
	}
	s, err := q.selection(in.ProfileTypeID, in.LabelSelector, in.Start, in.End)
	if err != nil {
		return nil, err
	}
	lines, err := q.lines(ctx, &s, in.GroupBy, stepsOf(s.from, in.Step))
	if err != nil {
		return nil, err
	}
	average := in.GetAggregation() == pb.TimeSeriesAggregationType_TIME_SERIES_AGGREGATION_TYPE_AVERAGE
	out := &pb.SelectSeriesResponse{}
	totals := map[*pb.Series]float64{}
	for _, l := range lines {
		one := &pb.Series{Labels: l.labels}
		for _, at := range slices.Sorted(maps.Keys(l.at)) {
			v := l.point(at, s.isState(), average)
			one.Points = append(one.Points, &pb.Point{Timestamp: at, Value: v})
			totals[one] += v
		}
		out.Series = append(out.Series, one)
	}
	if n := in.GetLimit(); n > 0 && n < int64(len(out.Series)) {
		slices.SortStableFunc(out.Series, func(a, b *pb.Series) int { return cmp.Compare(totals[b], totals[a]) })
		out.Series = out.Series[:n]
	}
	return out, nil
}
