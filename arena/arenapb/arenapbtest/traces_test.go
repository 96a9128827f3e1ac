package arenapbtest

import (
	"encoding/binary"
	"fmt"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

func text(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

// batch returns the encoded request of an exporter with n spans of a server.
func batch(t testing.TB, n int) []byte {
	t.Helper()
	spans := make([]*trace.Span, n)
	for i := range spans {
		id := binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i)*0x9e3779b97f4a7c15)
		spans[i] = &trace.Span{
			TraceId: id, SpanId: id[8:], ParentSpanId: id[4:12], Name: fmt.Sprintf("GET /api/v1/users/%d", i), Kind: trace.Span_SPAN_KIND_SERVER,
			StartTimeUnixNano: 1700000000000000000 + uint64(i), EndTimeUnixNano: 1700000000005000000 + uint64(i), Flags: 1,
			Attributes: []*common.KeyValue{
				text("http.request.method", "GET"), text("url.path", fmt.Sprintf("/api/v1/users/%d", i)), text("server.address", "api.example.com"),
				text("user_agent.original", "curl/8.5.0"), text("network.protocol.version", "1.1"), text("url.scheme", "https"),
				text("client.address", "192.0.2.17"), text("http.route", "/api/v1/users/{id}"), text("http.response.status_code", "200"),
			},
			Status: &trace.Status{Code: trace.Status_STATUS_CODE_OK},
		}
	}
	data, err := proto.Marshal(&collector.ExportTraceServiceRequest{ResourceSpans: []*trace.ResourceSpans{{
		Resource:   &resource.Resource{Attributes: []*common.KeyValue{text("service.name", "checkout")}},
		ScopeSpans: []*trace.ScopeSpans{{Scope: &common.InstrumentationScope{Name: "otelhttp", Version: "0.60.0"}, Spans: spans}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A batch that comes again needs no memory of the heap.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	if arena.Backend != "slab" || checks {
		t.Skip("this build does not reuse memory")
	}
	data := batch(t, 1000)
	a := arena.NewArena()
	defer a.Free()
	request := new(collector.ExportTraceServiceRequest)
	round := func() {
		if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, data, request); err != nil {
			t.Error(err)
		}
		request.Reset()
		a.Reset()
	}
	round()
	round()
	if n := testing.AllocsPerRun(5, round); n != 0 {
		t.Errorf("%v allocations for each batch, want 0", n)
	}
}

func BenchmarkTraces(b *testing.B) {
	for _, n := range []int{1, 1000} {
		data := batch(b, n)
		request := new(collector.ExportTraceServiceRequest)
		b.Run(fmt.Sprintf("proto/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := proto.Unmarshal(data, request); err != nil {
					b.Fatal(err)
				}
			}
		})
		for i, name := range []string{"arena", "heap", "alias"} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				a := arena.NewArena()
				defer a.Free()
				for b.Loop() {
					if err := (arenapb.UnmarshalOptions{Text: texts[i]}).Unmarshal(a, data, request); err != nil {
						b.Fatal(err)
					}
					a.Reset()
				}
			})
		}
	}
}
