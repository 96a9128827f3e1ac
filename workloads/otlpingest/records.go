package main

import (
	"encoding/binary"
	"fmt"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	log "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Requests as exporters send them, a few of the records unwanted or invalid.

const epoch = 1700000000000000000 // nanoseconds, in 2023

func attribute(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func number(key string, value int64) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: value}}}
}

func worker(i int) *resource.Resource {
	return &resource.Resource{Attributes: []*common.KeyValue{
		attribute(serviceName, fmt.Sprintf("checkout-%d", i)), attribute("host.name", fmt.Sprintf("worker-%d", i)),
	}}
}

// identity returns a trace ID; its second half serves as span ID.
func identity(seed, i int) []byte {
	id := binary.BigEndian.AppendUint64(nil, uint64(seed+1)*0xbf58476d1ce4e5b9)
	return binary.BigEndian.AppendUint64(id, uint64(i+1)*0x9e3779b97f4a7c15)
}

func traces(seed, n int) *tracepb.ExportTraceServiceRequest {
	all := make([]*trace.Span, n)
	for i := range all {
		id := identity(seed, i)
		start := uint64(epoch + 1000*i)
		path := fmt.Sprintf("/users/%d", i)
		if i%16 == 7 {
			path = "/healthz"
		}
		all[i] = &trace.Span{
			TraceId: id, SpanId: id[8:], ParentSpanId: id[4:12], Name: "GET " + path, Kind: trace.Span_SPAN_KIND_SERVER,
			StartTimeUnixNano: start, EndTimeUnixNano: start + 5_000_000, Flags: 1,
			Attributes: []*common.KeyValue{
				attribute("http.request.method", "GET"), attribute(urlPath, path), attribute("server.address", "api.example.com"),
				attribute("user_agent.original", "curl/8.5.0"), attribute("client.address", "192.0.2.17"),
				attribute("http.route", "/users/{id}"), number("http.response.status_code", 200), number("http.response.body.size", int64(i)*1000),
			},
			Status: &trace.Status{Code: trace.Status_STATUS_CODE_OK},
		}
		if i%8 == 3 {
			all[i].Events = []*trace.Span_Event{{TimeUnixNano: start, Name: "exception", Attributes: []*common.KeyValue{attribute("exception.type", "io.EOF")}}}
		}
		if i%64 == 11 {
			all[i].EndTimeUnixNano = start - 1
		}
	}
	return &tracepb.ExportTraceServiceRequest{ResourceSpans: []*trace.ResourceSpans{{
		Resource:   worker(seed),
		ScopeSpans: []*trace.ScopeSpans{{Scope: &common.InstrumentationScope{Name: "otelhttp", Version: "0.60.0"}, Spans: all}},
	}}}
}

func points(seed, n int) *metricspb.ExportMetricsServiceRequest {
	all := make([]*metrics.Metric, n)
	for i := range all {
		attributes := []*common.KeyValue{attribute("http.route", fmt.Sprintf("/users/%d", i)), number("http.response.status_code", 200)}
		m := &metrics.Metric{Unit: "1"}
		at := uint64(epoch)
		if i%64 == 11 {
			at = 0
		}
		switch i % 4 {
		case 0:
			sum := float64(i)
			m.Name = "http.server.request.duration"
			m.Data = &metrics.Metric_Histogram{Histogram: &metrics.Histogram{DataPoints: []*metrics.HistogramDataPoint{{
				Attributes: attributes, TimeUnixNano: at, Count: uint64(i) * 100, Sum: &sum,
				BucketCounts:   []uint64{0, 1, 2, 300, 4000, 500, 60, 7, 8, 9, 0, 0},
				ExplicitBounds: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
			}}}}
		case 1:
			m.Name = "process.runtime.go.goroutines"
			m.Data = &metrics.Metric_Gauge{Gauge: &metrics.Gauge{DataPoints: []*metrics.NumberDataPoint{{
				TimeUnixNano: at, Value: &metrics.NumberDataPoint_AsDouble{AsDouble: float64(i)},
			}}}}
		default:
			m.Name = "http.server.requests"
			m.Data = &metrics.Metric_Sum{Sum: &metrics.Sum{IsMonotonic: true, DataPoints: []*metrics.NumberDataPoint{{
				Attributes: attributes, TimeUnixNano: at, Value: &metrics.NumberDataPoint_AsInt{AsInt: int64(i)},
			}}}}
		}
		all[i] = m
	}
	return &metricspb.ExportMetricsServiceRequest{ResourceMetrics: []*metrics.ResourceMetrics{{
		Resource: worker(seed), ScopeMetrics: []*metrics.ScopeMetrics{{Metrics: all}},
	}}}
}

func logs(seed, n int) *logspb.ExportLogsServiceRequest {
	all := make([]*log.LogRecord, n)
	for i := range all {
		id := identity(seed, i)
		severity := log.SeverityNumber_SEVERITY_NUMBER_INFO
		if i%16 == 7 {
			severity = log.SeverityNumber_SEVERITY_NUMBER_DEBUG
		}
		all[i] = &log.LogRecord{
			TimeUnixNano: uint64(epoch + 1000*i), SeverityNumber: severity, SeverityText: "INFO",
			Body:       attribute("", fmt.Sprintf("request %d served in 12 ms: status 200, 5321 bytes", i)).Value,
			Attributes: []*common.KeyValue{attribute("http.route", "/users/{id}"), number("bytes", int64(i)), attribute("thread.name", "worker")},
			TraceId:    id, SpanId: id[8:],
		}
		if i%64 == 11 {
			all[i].TimeUnixNano = 0
		}
	}
	return &logspb.ExportLogsServiceRequest{ResourceLogs: []*log.ResourceLogs{{
		Resource: worker(seed), ScopeLogs: []*log.ScopeLogs{{LogRecords: all}},
	}}}
}
