// Package querier answers queries as Pyroscope does, so that Grafana's data source and its
// Profiles Drilldown read this store as they read a Pyroscope.
//
// The stance: clients are older and newer than this program. An RPC that is not known is
// unimplemented, a format that is not known is a flame graph, and neither is a bad
// request. Sums are exact: max_nodes makes a graph smaller, and no figure.
package querier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/internal/store"
)

// Querier answers queries from a store. It serves many goroutines.
type Querier struct {
	store store.Store
	now   func() time.Time
}

// New returns a querier.
func New(s store.Store, now func() time.Time) *Querier { return &Querier{s, now} }

// ErrUnimplemented is wrapped by the error of an RPC, or a use of one, that is not here.
var ErrUnimplemented = errors.New("not implemented")

// ErrRequest is wrapped by the error of a request that makes no sense.
var ErrRequest = errors.New("bad request")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrRequest, fmt.Errorf(format, args...))
}

// rpc reads a request, answers it and returns the message to send.
type rpc func(q *Querier, ctx context.Context, read func(proto.Message) error) (proto.Message, error)

// unary makes an rpc of a method.
func unary[M any, In interface {
	*M
	proto.Message
}, Out proto.Message](do func(*Querier, context.Context, In) (Out, error)) rpc {
	return func(q *Querier, ctx context.Context, read func(proto.Message) error) (proto.Message, error) {
		in := In(new(M))
		if err := read(in); err != nil {
			return nil, bad("%w", err)
		}
		out, err := do(q, ctx, in)
		return out, err
	}
}

// rpcs are the methods of querier.v1.QuerierService.
var rpcs = map[string]rpc{
	"ProfileTypes":           unary((*Querier).profileTypes),
	"LabelNames":             unary((*Querier).labelNames),
	"LabelValues":            unary((*Querier).labelValues),
	"Series":                 unary((*Querier).series),
	"SelectSeries":           unary((*Querier).selectSeries),
	"SelectHeatmap":          unary((*Querier).selectHeatmap),
	"SelectMergeStacktraces": unary((*Querier).selectMergeStacktraces),
	"SelectMergeSpanProfile": unary((*Querier).selectMergeSpanProfile),
	"SelectMergeProfile":     unary((*Querier).selectMergeProfile),
	"Diff":                   unary((*Querier).diff),
	"GetProfileStats":        unary((*Querier).profileStats),
	"AnalyzeQuery":           unary((*Querier).analyzeQuery),
}

// Call answers an RPC whose body is a protobuf message, as JSON or as bytes, in the same
// form.
func (q *Querier) Call(ctx context.Context, method string, json bool, body []byte) ([]byte, error) {
	do, ok := rpcs[method]
	if !ok {
		return nil, fmt.Errorf("%.100s: %w", method, ErrUnimplemented)
	}
	answer, err := do(q, ctx, func(in proto.Message) error {
		if json {
			return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(body, in)
		}
		return proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(body, in)
	})
	if err != nil {
		return nil, err
	}
	if json {
		return protojson.Marshal(answer)
	}
	return proto.Marshal(answer)
}

// usual is the time of a query that gives none.
const usual = time.Hour

// window returns the times of a query in milliseconds since 1970. Both of its ends count.
func (q *Querier) window(start, end int64) (from, to time.Time, err error) {
	now := q.now()
	latest := now.AddDate(1, 0, 0).UnixMilli() // a key cannot hold much later times
	if end = cmp.Or(end, now.UnixMilli()); start == 0 {
		start = end - usual.Milliseconds()
	}
	start, end = max(0, min(start, latest)), max(0, min(end, latest))
	if end < start {
		return from, to, bad("the end of the time is before its start")
	}
	return time.UnixMilli(start).UTC(), time.UnixMilli(end + 1).UTC(), nil
}
