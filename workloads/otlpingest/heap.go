package main

import (
	"context"
	"net/http"

	"google.golang.org/protobuf/proto"
)

// newHeap is the variant that decodes onto the heap, as most receivers do.
func newHeap(c *counts) receiver {
	server := newGRPC()
	register(server, c)
	return receiver{
		counts:  c,
		grpc:    server,
		traces:  handler(traceService{counts: c}.Export),
		metrics: handler(metricsService{counts: c}.Export),
		logs:    handler(logsService{counts: c}.Export),
	}
}

// A message is a pointer to a generated type.
type message[T any] interface {
	*T
	proto.Message
}

// handler serves OTLP/HTTP.
func handler[Request, Response any, Q message[Request], R message[Response]](export func(context.Context, Q) (R, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := readBody(w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		request := Q(new(Request))
		if isJSON(r) {
			err = fromJSON(body, request)
		} else {
			err = proto.Unmarshal(body, request)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		reply(w, r, export, request)
	})
}

// reply exports a request and sends the response.
func reply[Q, R proto.Message](w http.ResponseWriter, r *http.Request, export func(context.Context, Q) (R, error), request Q) {
	response, err := export(r.Context(), request)
	if err != nil {
		refuse(w, err)
		return
	}
	data, err := encode(r, response)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, r, data)
}
