package main

import (
	"context"
	"net/http"
	"sync"

	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// vtMessage has the methods that vtprotobuf generates. Published OTLP types have none.
type vtMessage interface {
	UnmarshalVTUnsafe([]byte) error
	ResetVT()
}

func hasVT() bool {
	_, ok := any(new(tracepb.ExportTraceServiceRequest)).(vtMessage)
	return ok
}

// newVT is the variant with vtprotobuf's methods. Over HTTP, messages come from
// pools. gRPC makes the message of a call itself and does not report when the message
// is no longer used, so there are no pools.
func newVT(c *counts) receiver {
	server := newGRPC(grpc.ForceServerCodecV2(vtCodec{encoding.GetCodecV2("proto")}))
	register(server, c)
	return receiver{
		counts:  c,
		grpc:    server,
		traces:  vtHandler(traceService{counts: c}.Export),
		metrics: vtHandler(metricsService{counts: c}.Export),
		logs:    vtHandler(logsService{counts: c}.Export),
	}
}

// vtHandler serves OTLP/HTTP. Text refers to the body, which has no other use.
func vtHandler[Request, Response any, Q message[Request], R message[Response]](export func(context.Context, Q) (R, error)) http.Handler {
	pool := sync.Pool{New: func() any { return Q(new(Request)) }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := readBody(w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		request := pool.Get().(Q)
		defer pool.Put(request)
		decoder := any(request).(vtMessage)
		defer decoder.ResetVT()
		if isJSON(r) {
			err = fromJSON(body, request)
		} else {
			err = decoder.UnmarshalVTUnsafe(body)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		reply(w, r, export, request)
	})
}

// vtCodec is gRPC's codec with vtprotobuf's methods.
type vtCodec struct{ encoding.CodecV2 }

func (c vtCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if m, ok := v.(vtMessage); ok {
		return m.UnmarshalVTUnsafe(data.Materialize()) // a copy
	}
	return c.CodecV2.Unmarshal(data, v)
}
