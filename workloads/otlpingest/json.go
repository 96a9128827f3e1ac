package main

import (
	"encoding/base64"
	"encoding/hex"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// fromJSON decodes OTLP's JSON as receivers without a decoder of their own do. Since
// protojson takes the hexadecimal digits of IDs for base64, they are encoded again.
// IDs of links and exemplars are not, because nothing reads them.
func fromJSON(data []byte, m proto.Message) error {
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, m); err != nil {
		return err
	}
	switch m := m.(type) {
	case *tracepb.ExportTraceServiceRequest:
		for _, resource := range m.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, span := range scope.Spans {
					if err := fromHex(&span.TraceId, &span.SpanId, &span.ParentSpanId); err != nil {
						return err
					}
				}
			}
		}
	case *logspb.ExportLogsServiceRequest:
		for _, resource := range m.ResourceLogs {
			for _, scope := range resource.ScopeLogs {
				for _, record := range scope.LogRecords {
					if err := fromHex(&record.TraceId, &record.SpanId); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// fromHex corrects IDs whose hexadecimal digits were taken for base64.
func fromHex(ids ...*[]byte) error {
	for _, id := range ids {
		digits := base64.StdEncoding.AppendEncode(nil, *id)
		n, err := hex.Decode(digits, digits)
		if err != nil {
			return err
		}
		*id = digits[:n]
	}
	return nil
}
