package main

import (
	"context"
	"net/http"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

// newPdata is the variant on the collector's data model.
func newPdata(c *counts) receiver {
	server := newGRPC()
	t, m, l := &pdataTraces{counts: c}, &pdataMetrics{counts: c}, &pdataLogs{counts: c}
	ptraceotlp.RegisterGRPCServer(server, t)
	pmetricotlp.RegisterGRPCServer(server, m)
	plogotlp.RegisterGRPCServer(server, l)
	return receiver{
		counts:  c,
		grpc:    server,
		traces:  pdataHandler(ptraceotlp.NewExportRequest, t.Export),
		metrics: pdataHandler(pmetricotlp.NewExportRequest, m.Export),
		logs:    pdataHandler(plogotlp.NewExportRequest, l.Export),
	}
}

type (
	pdataTraces struct {
		ptraceotlp.UnimplementedGRPCServer
		*counts
	}
	pdataMetrics struct {
		pmetricotlp.UnimplementedGRPCServer
		*counts
	}
	pdataLogs struct {
		plogotlp.UnimplementedGRPCServer
		*counts
	}
)

type (
	pdataRequest interface {
		UnmarshalProto([]byte) error
		UnmarshalJSON([]byte) error
		MarshalJSON() ([]byte, error)
	}
	pdataResponse interface {
		MarshalProto() ([]byte, error)
		MarshalJSON() ([]byte, error)
	}
)

// pdataHandler serves OTLP/HTTP.
func pdataHandler[Q pdataRequest, R pdataResponse](empty func() Q, export func(context.Context, Q) (R, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := readBody(w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		request := empty()
		unmarshal, marshal := request.UnmarshalProto, R.MarshalProto
		if isJSON(r) {
			unmarshal, marshal = request.UnmarshalJSON, R.MarshalJSON
		}
		if err := unmarshal(body); err != nil {
			refuse(w, err)
			return
		}
		response, err := export(r.Context(), request)
		if err != nil {
			refuse(w, err)
			return
		}
		data, err := marshal(response)
		if err != nil {
			refuse(w, err)
			return
		}
		answer(w, r, data)
	})
}

func (s *pdataTraces) Export(_ context.Context, r ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	var rejected int64
	for _, resource := range r.Traces().ResourceSpans().All() {
		var t tally
		for _, scope := range resource.ScopeSpans().All() {
			for _, span := range scope.Spans().All() {
				trace, id := span.TraceID(), span.SpanID()
				v := judgeSpan(trace[:], id[:], span.Name(), uint64(span.StartTimestamp()), uint64(span.EndTimestamp()), pdataText(span.Attributes(), urlPath))
				t.note(v, span.Attributes().Len())
			}
		}
		s.add("traces", pdataService(resource.Resource()), t)
		rejected += t.Rejected
	}
	response := ptraceotlp.NewExportResponse()
	if rejected > 0 {
		response.PartialSuccess().SetRejectedSpans(rejected)
		response.PartialSuccess().SetErrorMessage(rejection(rejected, "spans"))
	}
	return response, nil
}

func (s *pdataMetrics) Export(_ context.Context, r pmetricotlp.ExportRequest) (pmetricotlp.ExportResponse, error) {
	var rejected int64
	for _, resource := range r.Metrics().ResourceMetrics().All() {
		var t tally
		for _, scope := range resource.ScopeMetrics().All() {
			for _, m := range scope.Metrics().All() {
				judgePdata(m, &t)
			}
		}
		s.add("metrics", pdataService(resource.Resource()), t)
		rejected += t.Rejected
	}
	response := pmetricotlp.NewExportResponse()
	if rejected > 0 {
		response.PartialSuccess().SetRejectedDataPoints(rejected)
		response.PartialSuccess().SetErrorMessage(rejection(rejected, "data points"))
	}
	return response, nil
}

// judgePdata judges the points of a metric of any kind.
func judgePdata(m pmetric.Metric, t *tally) {
	note := func(at pcommon.Timestamp, attributes pcommon.Map) {
		t.note(judgePoint(m.Name(), uint64(at)), attributes.Len())
	}
	switch m.Type() {
	case pmetric.MetricTypeGauge:
		for _, p := range m.Gauge().DataPoints().All() {
			note(p.Timestamp(), p.Attributes())
		}
	case pmetric.MetricTypeSum:
		for _, p := range m.Sum().DataPoints().All() {
			note(p.Timestamp(), p.Attributes())
		}
	case pmetric.MetricTypeHistogram:
		for _, p := range m.Histogram().DataPoints().All() {
			note(p.Timestamp(), p.Attributes())
		}
	case pmetric.MetricTypeExponentialHistogram:
		for _, p := range m.ExponentialHistogram().DataPoints().All() {
			note(p.Timestamp(), p.Attributes())
		}
	case pmetric.MetricTypeSummary:
		for _, p := range m.Summary().DataPoints().All() {
			note(p.Timestamp(), p.Attributes())
		}
	}
}

func (s *pdataLogs) Export(_ context.Context, r plogotlp.ExportRequest) (plogotlp.ExportResponse, error) {
	var rejected int64
	for _, resource := range r.Logs().ResourceLogs().All() {
		var t tally
		for _, scope := range resource.ScopeLogs().All() {
			for _, record := range scope.LogRecords().All() {
				v := judgeLog(uint64(record.Timestamp()), uint64(record.ObservedTimestamp()), int32(record.SeverityNumber()))
				t.note(v, record.Attributes().Len())
			}
		}
		s.add("logs", pdataService(resource.Resource()), t)
		rejected += t.Rejected
	}
	response := plogotlp.NewExportResponse()
	if rejected > 0 {
		response.PartialSuccess().SetRejectedLogRecords(rejected)
		response.PartialSuccess().SetErrorMessage(rejection(rejected, "log records"))
	}
	return response, nil
}

func pdataText(attributes pcommon.Map, key string) string {
	if v, ok := attributes.Get(key); ok && v.Type() == pcommon.ValueTypeStr {
		return v.Str()
	}
	return ""
}

func pdataService(r pcommon.Resource) string {
	if name := pdataText(r.Attributes(), serviceName); name != "" {
		return name
	}
	return unnamed
}
