package main

import (
	"context"
	"fmt"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The services of the variants that decode into the generated messages. They do
// not know where these lie.
type (
	traceService struct {
		tracepb.UnimplementedTraceServiceServer
		*counts
	}
	metricsService struct {
		metricspb.UnimplementedMetricsServiceServer
		*counts
	}
	logsService struct {
		logspb.UnimplementedLogsServiceServer
		*counts
	}
)

// register adds the services to a gRPC server.
func register(s *grpc.Server, c *counts) {
	tracepb.RegisterTraceServiceServer(s, traceService{counts: c})
	metricspb.RegisterMetricsServiceServer(s, metricsService{counts: c})
	logspb.RegisterLogsServiceServer(s, logsService{counts: c})
}

func invalid(err error) error { return status.Error(codes.InvalidArgument, err.Error()) }

// rejection is the message of a partial success.
func rejection(n int64, records string) string { return fmt.Sprintf("%d invalid %s", n, records) }

func (s traceService) Export(_ context.Context, r *tracepb.ExportTraceServiceRequest) (*tracepb.ExportTraceServiceResponse, error) {
	for _, resource := range r.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				if err := checkIDs(span.TraceId, span.SpanId); err != nil {
					return nil, invalid(err)
				}
			}
		}
	}
	var rejected int64
	for _, resource := range r.ResourceSpans {
		var t tally
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				v := judgeSpan(span.TraceId, span.SpanId, span.Name, span.StartTimeUnixNano, span.EndTimeUnixNano, text(span.Attributes, urlPath))
				t.note(v, len(span.Attributes))
			}
		}
		s.add("traces", named(resource.GetResource().GetAttributes()), t)
		rejected += t.Rejected
	}
	response := new(tracepb.ExportTraceServiceResponse)
	if rejected > 0 {
		response.PartialSuccess = &tracepb.ExportTracePartialSuccess{RejectedSpans: rejected, ErrorMessage: rejection(rejected, "spans")}
	}
	return response, nil
}

func (s metricsService) Export(_ context.Context, r *metricspb.ExportMetricsServiceRequest) (*metricspb.ExportMetricsServiceResponse, error) {
	var rejected int64
	for _, resource := range r.ResourceMetrics {
		var t tally
		for _, scope := range resource.ScopeMetrics {
			for _, m := range scope.Metrics {
				judgeMetric(m, &t)
			}
		}
		s.add("metrics", named(resource.GetResource().GetAttributes()), t)
		rejected += t.Rejected
	}
	response := new(metricspb.ExportMetricsServiceResponse)
	if rejected > 0 {
		response.PartialSuccess = &metricspb.ExportMetricsPartialSuccess{RejectedDataPoints: rejected, ErrorMessage: rejection(rejected, "data points")}
	}
	return response, nil
}

// judgeMetric judges the points of a metric of any kind.
func judgeMetric(m *metrics.Metric, t *tally) {
	switch data := m.Data.(type) {
	case *metrics.Metric_Gauge:
		judgePoints(m.Name, data.Gauge.GetDataPoints(), t)
	case *metrics.Metric_Sum:
		judgePoints(m.Name, data.Sum.GetDataPoints(), t)
	case *metrics.Metric_Histogram:
		judgePoints(m.Name, data.Histogram.GetDataPoints(), t)
	case *metrics.Metric_ExponentialHistogram:
		judgePoints(m.Name, data.ExponentialHistogram.GetDataPoints(), t)
	case *metrics.Metric_Summary:
		judgePoints(m.Name, data.Summary.GetDataPoints(), t)
	}
}

func judgePoints[P interface {
	GetTimeUnixNano() uint64
	GetAttributes() []*common.KeyValue
}](metric string, points []P, t *tally) {
	for _, p := range points {
		t.note(judgePoint(metric, p.GetTimeUnixNano()), len(p.GetAttributes()))
	}
}

func (s logsService) Export(_ context.Context, r *logspb.ExportLogsServiceRequest) (*logspb.ExportLogsServiceResponse, error) {
	for _, resource := range r.ResourceLogs {
		for _, scope := range resource.ScopeLogs {
			for _, record := range scope.LogRecords {
				if err := checkIDs(record.TraceId, record.SpanId); err != nil {
					return nil, invalid(err)
				}
			}
		}
	}
	var rejected int64
	for _, resource := range r.ResourceLogs {
		var t tally
		for _, scope := range resource.ScopeLogs {
			for _, record := range scope.LogRecords {
				t.note(judgeLog(record.TimeUnixNano, record.ObservedTimeUnixNano, int32(record.SeverityNumber)), len(record.Attributes))
			}
		}
		s.add("logs", named(resource.GetResource().GetAttributes()), t)
		rejected += t.Rejected
	}
	response := new(logspb.ExportLogsServiceResponse)
	if rejected > 0 {
		response.PartialSuccess = &logspb.ExportLogsPartialSuccess{RejectedLogRecords: rejected, ErrorMessage: rejection(rejected, "log records")}
	}
	return response, nil
}

// text returns the text of the first attribute with a key.
func text(attributes []*common.KeyValue, key string) string {
	for _, a := range attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

func named(attributes []*common.KeyValue) string {
	if name := text(attributes, serviceName); name != "" {
		return name
	}
	return unnamed
}
