package arenapbtest_test

import (
	"fmt"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

var pool arena.Pool

func ExampleUnmarshalJSONOptions() {
	data := []byte(`{"resourceSpans": [{"scopeSpans": [{"spans": [
		{"traceId": "5b8efff798038103d269b633813fc60c", "name": "GET /", "kind": 2, "ofALaterVersion": true}
	]}]}]}`)
	a := pool.Get()
	defer a.Free()
	request := new(collector.ExportTraceServiceRequest)
	err := arenapb.UnmarshalJSONOptions{OTLP: true}.Unmarshal(a, data, request)
	span := request.ResourceSpans[0].ScopeSpans[0].Spans[0]
	fmt.Printf("%x %s %v %v\n", span.TraceId, span.Name, span.Kind, err)
	// Output:
	// 5b8efff798038103d269b633813fc60c GET / SPAN_KIND_SERVER <nil>
}
