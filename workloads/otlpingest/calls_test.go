package main

import (
	"context"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// Floods of metadata and of calls that are given up at once do not reach the handlers,
// and the next call is answered.
func TestFloods(t *testing.T) {
	for name, register := range decoders {
		t.Run(name, func(t *testing.T) {
			r := register(newCounts())
			conn := dial(t, r)
			client := tracepb.NewTraceServiceClient(conn)
			large := metadata.AppendToOutgoingContext(t.Context(), "x-padding", strings.Repeat("x", 65<<10))
			if _, err := client.Export(large, traces(0, 1)); err == nil || !strings.Contains(err.Error(), "header list size") {
				t.Errorf("65 KiB of metadata: %v", err)
			}
			for range 2000 {
				ctx, cancel := context.WithCancel(t.Context())
				if _, err := conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, "/opentelemetry.proto.collector.trace.v1.TraceService/Export"); err != nil {
					t.Fatal(err)
				}
				cancel() // resets the stream
			}
			if _, err := client.Export(t.Context(), traces(0, 1)); err != nil {
				t.Errorf("after the flood: %v", err)
			}
		})
	}
}
