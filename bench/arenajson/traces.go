package main

import "fmt"

// traces is an OTLP request in JSON, as plain Go structs.
type traces struct {
	ResourceSpans []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource struct {
		Attributes []attribute `json:"attributes"`
	} `json:"resource"`
	ScopeSpans []scopeSpans `json:"scopeSpans"`
}

type scopeSpans struct {
	Scope struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"scope"`
	Spans []span `json:"spans"`
}

type span struct {
	TraceID      string      `json:"traceId"`
	SpanID       string      `json:"spanId"`
	ParentSpanID string      `json:"parentSpanId"`
	Name         string      `json:"name"`
	Kind         int         `json:"kind"`
	Start        uint64      `json:"startTimeUnixNano,string"`
	End          uint64      `json:"endTimeUnixNano,string"`
	Attributes   []attribute `json:"attributes"`
	Status       struct {
		Code int `json:"code"`
	} `json:"status"`
}

type attribute struct {
	Key   string `json:"key"`
	Value struct {
		String *string  `json:"stringValue,omitempty"`
		Int    *int64   `json:"intValue,omitempty,string"`
		Double *float64 `json:"doubleValue,omitempty"`
		Bool   *bool    `json:"boolValue,omitempty"`
	} `json:"value"`
}

// spans returns a request with n spans of one service.
func spans(n int) *traces {
	t := &traces{make([]resourceSpans, 1)}
	r := &t.ResourceSpans[0]
	r.Resource.Attributes = []attribute{text("service.name", "checkout"), text("host.name", "node-7")}
	r.ScopeSpans = make([]scopeSpans, 1)
	scope := &r.ScopeSpans[0]
	scope.Scope.Name, scope.Scope.Version = "net/http", "1.26.0"
	for i := range n {
		s := span{
			TraceID: fmt.Sprintf("%032x", 0x5b8aa5a2d2c872e8+i/8), SpanID: fmt.Sprintf("%016x", 0x051581bf3cb55c13+i),
			ParentSpanID: fmt.Sprintf("%016x", 0x051581bf3cb55c13+i/2), Name: "GET /api/cart/items", Kind: 2,
			Start: uint64(1760000000000000000 + i*1000), End: uint64(1760000000000250000 + i*1000),
		}
		ok, took, status := i%7 != 0, 0.25*float64(i), int64(200+i%4)
		s.Attributes = []attribute{
			text("http.request.method", "GET"), text("url.path", "/api/cart/items"), text("url.scheme", "https"),
			text("server.address", "shop.example.org"), text("user_agent.original", "Mozilla/5.0 (X11; Linux x86_64)"),
			text("client.address", fmt.Sprintf("192.0.2.%d", i%256)), {Key: "http.response.status_code"}, {Key: "took"}, {Key: "ok"},
		}
		s.Attributes[6].Value.Int, s.Attributes[7].Value.Double, s.Attributes[8].Value.Bool = &status, &took, &ok
		scope.Spans = append(scope.Spans, s)
	}
	return t
}

func text(key, value string) attribute {
	a := attribute{Key: key}
	a.Value.String = &value
	return a
}
