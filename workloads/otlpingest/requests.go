package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// batch is the largest export of the OpenTelemetry SDKs
// (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).
const batch = 512

// variety is how many different requests there are of a signal.
const variety = 4

// request is an export of a signal.
type request struct {
	signal string
	method string // the gRPC method
	proto.Message
	collector pdataRequest // an empty one
}

func (r request) path() string { return "/v1/" + r.signal }

// requests returns an export of each signal.
func requests(seed, records int) []request {
	const services = "/opentelemetry.proto.collector."
	return []request{
		{"traces", services + "trace.v1.TraceService/Export", traces(seed, records), ptraceotlp.NewExportRequest()},
		{"metrics", services + "metrics.v1.MetricsService/Export", points(seed, records), pmetricotlp.NewExportRequest()},
		{"logs", services + "logs.v1.LogsService/Export", logs(seed, records), plogotlp.NewExportRequest()},
	}
}

// target is a request in vegeta's JSON format, one a line.
type target struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header"`
	Body   []byte      `json:"body"`
}

// writeRequests writes the files of a load. They are the same each time.
func writeRequests(dir string, records int) error {
	var list, jsonList []byte
	var calls []json.RawMessage
	for i := range variety {
		for _, r := range requests(i, records) {
			body, err := proto.Marshal(r.Message)
			if err != nil {
				return fmt.Errorf("%s: %w", r.signal, err)
			}
			if list, err = appendTarget(list, r.path(), protobufType, body); err != nil {
				return err
			}
			if body, err = asJSON(body, r.collector); err != nil {
				return fmt.Errorf("%s: %w", r.signal, err)
			}
			if jsonList, err = appendTarget(jsonList, r.path(), jsonType, body); err != nil {
				return err
			}
		}
		call, err := protojson.Marshal(traces(i, records))
		if err != nil {
			return fmt.Errorf("traces: %w", err)
		}
		calls = append(calls, call)
	}
	grpc, err := json.Marshal(calls)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, data := range map[string][]byte{"requests.json": list, "requests-in-json.json": jsonList, "traces.json": grpc} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// appendTarget appends the line of a request.
func appendTarget(list []byte, path, contentType string, body []byte) ([]byte, error) {
	line, err := json.Marshal(target{
		Method: http.MethodPost,
		URL:    "http://127.0.0.1:{port}" + path,
		Header: http.Header{"Content-Type": {contentType}},
		Body:   body,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return append(append(list, line...), '\n'), nil
}

// asJSON returns an encoded request in OTLP's JSON, as the collector's exporter writes it.
func asJSON(data []byte, empty pdataRequest) ([]byte, error) {
	if err := empty.UnmarshalProto(data); err != nil {
		return nil, err
	}
	return empty.MarshalJSON()
}
