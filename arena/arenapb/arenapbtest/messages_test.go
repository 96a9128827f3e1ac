package arenapbtest

import (
	prometheus "github.com/prometheus/client_model/go"
	logs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/apipb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/sourcecontextpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/typepb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/hybrid"
	newpb "github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/new"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/old"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/opaque"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/open"
)

// messages are those that both decoders are compared on.
var messages = []proto.Message{
	(*traces.ExportTraceServiceRequest)(nil),
	(*metrics.ExportMetricsServiceRequest)(nil),
	(*logs.ExportLogsServiceRequest)(nil),
	(*common.AnyValue)(nil),
	(*descriptorpb.FileDescriptorSet)(nil),   // proto2, groups of fields with extensions
	(*descriptorpb.UninterpretedOption)(nil), // required fields
	(*pluginpb.CodeGeneratorRequest)(nil),
	(*gofeaturespb.GoFeatures)(nil),
	(*structpb.Struct)(nil), // maps, oneofs, recursion
	(*structpb.ListValue)(nil),
	(*anypb.Any)(nil),
	(*apipb.Api)(nil),
	(*typepb.Type)(nil),
	(*fieldmaskpb.FieldMask)(nil),
	(*sourcecontextpb.SourceContext)(nil),
	(*timestamppb.Timestamp)(nil),
	(*wrapperspb.DoubleValue)(nil),
	(*wrapperspb.StringValue)(nil),
	(*wrapperspb.BytesValue)(nil),
	(*wrapperspb.BoolValue)(nil),
	(*prometheus.MetricFamily)(nil),
	(*annotations.HttpRule)(nil),
	(*errdetails.BadRequest)(nil),
	(*open.Everything)(nil), // editions, in all three API levels
	(*hybrid.Everything)(nil),
	(*opaque.Everything)(nil),
	(*opaque.Required)(nil),
	(*old.Old)(nil),   // proto2: groups, required fields, extensions
	(*newpb.New)(nil), // proto3
}
