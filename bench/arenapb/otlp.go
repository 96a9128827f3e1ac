package main

import (
	"encoding/binary"
	"fmt"

	logscollector "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricscollector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

func text(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func number(key string, value int64) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: value}}}
}

func server() *resource.Resource {
	return &resource.Resource{Attributes: []*common.KeyValue{text("service.name", "checkout"), text("host.name", "worker-17")}}
}

// spans returns an exporter's request.
func spans(n int, mixed bool) proto.Message {
	all := make([]*trace.Span, n)
	for i := range all {
		id := binary.BigEndian.AppendUint64(make([]byte, 8, 16), uint64(i)*0x9e3779b97f4a7c15)
		s := &trace.Span{
			TraceId: id, SpanId: id[8:], ParentSpanId: id[4:12], Name: fmt.Sprintf("GET /users/%d", i), Kind: trace.Span_SPAN_KIND_SERVER,
			StartTimeUnixNano: 1700000000000000000 + uint64(i), EndTimeUnixNano: 1700000000005000000 + uint64(i), Flags: 1,
			Attributes: []*common.KeyValue{
				text("http.request.method", "GET"), text("url.path", fmt.Sprintf("/users/%d", i)), text("server.address", "api.example.com"),
				text("user_agent.original", "curl/8.5.0"), text("network.protocol.version", "1.1"), text("url.scheme", "https"),
				text("client.address", "192.0.2.17"), text("http.route", "/users/{id}"), text("http.response.status_code", "200"),
			},
			Status: &trace.Status{Code: trace.Status_STATUS_CODE_OK},
		}
		if mixed {
			s.Attributes = append(s.Attributes[:5], number("http.response.body.size", int64(i)*1000),
				&common.KeyValue{Key: "sampled", Value: &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: true}}},
				&common.KeyValue{Key: "ratio", Value: &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: 0.25}}},
				&common.KeyValue{Key: "tags", Value: &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{
					Values: []*common.AnyValue{text("", "größer").Value, number("", 7).Value}}}}})
			s.Events = []*trace.Span_Event{{TimeUnixNano: s.StartTimeUnixNano, Name: "exception", Attributes: []*common.KeyValue{text("exception.type", "io.EOF")}}}
			s.Links = []*trace.Span_Link{{TraceId: id, SpanId: id[:8]}}
		}
		all[i] = s
	}
	return &collector.ExportTraceServiceRequest{ResourceSpans: []*trace.ResourceSpans{{
		Resource:   server(),
		ScopeSpans: []*trace.ScopeSpans{{Scope: &common.InstrumentationScope{Name: "otelhttp", Version: "0.60.0"}, Spans: all}},
	}}}
}

// smallSpan returns a request of 100 bytes.
func smallSpan() proto.Message {
	id := make([]byte, 16)
	return &collector.ExportTraceServiceRequest{ResourceSpans: []*trace.ResourceSpans{{
		ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{{
			TraceId: id, SpanId: id[:8], Name: "GET /users/{id}/orders/", StartTimeUnixNano: 1700000000000000000, EndTimeUnixNano: 1700000000005000000,
			Attributes: []*common.KeyValue{text("url.scheme", "https")},
		}}}},
	}}}
}

func points(n int) proto.Message {
	var all []*metrics.Metric
	for i := range n {
		attributes := []*common.KeyValue{text("http.route", "/users/{id}"), number("http.response.status_code", 200)}
		all = append(all, &metrics.Metric{Name: "http.server.request.duration", Unit: "s", Data: &metrics.Metric_Histogram{Histogram: &metrics.Histogram{
			AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA,
			DataPoints: []*metrics.HistogramDataPoint{{
				Attributes: attributes, TimeUnixNano: 1700000000000000000, Count: uint64(i) * 100, Sum: proto.Float64(1.5),
				BucketCounts:   []uint64{0, 1, 2, 300, 4000, 500, 60, 7, 8, 9, 0, 0},
				ExplicitBounds: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
			}},
		}}}, &metrics.Metric{Name: "http.server.requests", Unit: "1", Data: &metrics.Metric_Sum{Sum: &metrics.Sum{
			IsMonotonic: true,
			DataPoints:  []*metrics.NumberDataPoint{{Attributes: attributes, TimeUnixNano: 1700000000000000000, Value: &metrics.NumberDataPoint_AsInt{AsInt: int64(i)}}},
		}}})
	}
	return &metricscollector.ExportMetricsServiceRequest{ResourceMetrics: []*metrics.ResourceMetrics{{
		Resource: server(), ScopeMetrics: []*metrics.ScopeMetrics{{Metrics: all}},
	}}}
}

func records(n int) proto.Message {
	var all []*logs.LogRecord
	for i := range n {
		all = append(all, &logs.LogRecord{
			TimeUnixNano: 1700000000000000000 + uint64(i), SeverityNumber: logs.SeverityNumber_SEVERITY_NUMBER_INFO, SeverityText: "INFO",
			Body:       text("", fmt.Sprintf("request %d served in 12 ms: status 200, 5321 bytes", i)).Value,
			Attributes: []*common.KeyValue{text("http.route", "/users/{id}"), number("bytes", 5321), text("thread.name", "worker")},
			TraceId:    make([]byte, 16), SpanId: make([]byte, 8),
		})
	}
	return &logscollector.ExportLogsServiceRequest{ResourceLogs: []*logs.ResourceLogs{{
		Resource: server(), ScopeLogs: []*logs.ScopeLogs{{LogRecords: all}},
	}}}
}
