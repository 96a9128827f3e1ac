package main

import (
	"fmt"
	"strings"

	prompb "buf.build/gen/go/prometheus/prometheus/protocolbuffers/go"
	profile "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	writev2 "github.com/prometheus/client_golang/exp/api/remote/genproto/v2"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	logscollector "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricscollector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/bench/internal/contest"
)

// shapes are kinds of messages.
func shapes(live int) []*contest.Work {
	beside := traces("Plain traces beside a live heap", fmt.Sprintf("the plain traces, in a process with %d MB of live pointers", live), 1000, false)
	beside.Live = live
	big := newShape[wrapperspb.StringValue]("A big string", "google.protobuf.StringValue, 1 MB", wrapperspb.String(strings.Repeat("heapwright", 100_000)))
	big.Rounds = 30
	return []*contest.Work{
		traces("Plain traces", "OTLP, 1,000 spans with 9 attributes, all of them strings", 1000, false),
		traces("One span", "the same with a single span", 1, false),
		traces("Mixed traces", "OTLP, 1,000 spans with attributes of all types, events and links", 1000, true),
		newShape[metricscollector.ExportMetricsServiceRequest]("Metrics", "OTLP, 200 histograms, 200 sums", points(200)).
			Add("collector pdata", func(data []byte) error { return pmetricotlp.NewExportRequest().UnmarshalProto(data) }),
		newShape[logscollector.ExportLogsServiceRequest]("Logs", "OTLP, 1,000 records", records(1000)).
			Add("collector pdata", func(data []byte) error { return plogotlp.NewExportRequest().UnmarshalProto(data) }),
		newShape[prompb.WriteRequest]("Remote-write 1.0", "Prometheus, 500 series with 10 labels", series(500)),
		newShape[writev2.Request]("Remote-write 2.0", "Prometheus, the same series with a table of symbols", symbols(series(500))),
		newShape[profile.Profile]("Profile", "pprof, 2,000 samples with 20 locations", cpuProfile(2000)),
		newShape[descriptorpb.FileDescriptorProto]("Descriptor", "proto2, the descriptor of descriptor.proto", protodesc.ToFileDescriptorProto(descriptorpb.File_google_protobuf_descriptor_proto)),
		newShape[structpb.Struct]("Maps", "google.protobuf.Struct, 100 entries with 5 entries each", dictionary()),
		newShape[structpb.Value]("A deep tree", "lists in lists, 1,000 levels", tree()),
		newShape[wrapperspb.Int64Value]("A tiny message", "google.protobuf.Int64Value", wrapperspb.Int64(1<<40)),
		big,
		newJSON[collector.ExportTraceServiceRequest]("Traces in JSON", "OTLP/JSON, the mixed traces", spans(1000, true), ptraceotlp.NewExportRequest),
		newJSON[metricscollector.ExportMetricsServiceRequest]("Metrics in JSON", "OTLP/JSON, the metrics", points(200), pmetricotlp.NewExportRequest),
		newJSON[logscollector.ExportLogsServiceRequest]("Logs in JSON", "OTLP/JSON, the logs", records(1000), plogotlp.NewExportRequest),
		beside,
		newKept("Messages that stay alive", fmt.Sprintf("the plain traces; the last %d messages are kept, then dropped or freed", keptMessages), spans(1000, false)),
	}
}

// traces returns a shape of an exporter's requests. The types of easyproto have
// no attributes other than strings.
func traces(name, about string, n int, mixed bool) *contest.Work {
	s := newShape[collector.ExportTraceServiceRequest](name, about, spans(n, mixed))
	s.Add("collector pdata", func(data []byte) error { return ptraceotlp.NewExportRequest().UnmarshalProto(data) })
	if mixed {
		return s
	}
	easy := new(easyRequest)
	return s.Add("easyproto, by hand", func(data []byte) error {
		easy.reset()
		return easy.unmarshal(data)
	})
}

func dictionary() proto.Message {
	all := map[string]any{}
	for i := range 100 {
		all[fmt.Sprintf("entry-%d", i)] = map[string]any{"name": "a name", "size": i, "ready": true, "nothing": nil, "path": "/var/lib"}
	}
	s, err := structpb.NewStruct(all)
	if err != nil {
		panic(err) // it is of types that Struct has
	}
	return s
}

func tree() proto.Message {
	v := structpb.NewStringValue("leaf")
	for range 1000 {
		v = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v}})
	}
	return v
}
