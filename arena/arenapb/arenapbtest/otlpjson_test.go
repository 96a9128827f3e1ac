package arenapbtest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	logs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// otlpJSON returns a message in OTLP's JSON, as an encoder of a later version might
// write it, with fields that the message does not have.
func otlpJSON(t testing.TB, r *rand.Rand, m proto.Message) []byte {
	t.Helper()
	data, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	numbers := json.NewDecoder(bytes.NewReader(data))
	numbers.UseNumber()
	if err := numbers.Decode(&v); err != nil {
		t.Fatal(err)
	}
	rewrite(r, v)
	if data, err = json.Marshal(v); err != nil {
		t.Fatal(err)
	}
	return data
}

// rewrite writes IDs in hexadecimal digits, some integers as numbers instead of
// strings, and adds unknown fields.
func rewrite(r *rand.Rand, v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			rewrite(r, e)
		}
	case map[string]any:
		for name, e := range v {
			switch s, _ := e.(string); {
			case name == "traceId" || name == "spanId" || name == "parentSpanId":
				id, err := base64.StdEncoding.DecodeString(s)
				if err != nil {
					panic(err) // protojson has encoded it
				}
				if v[name] = hex.EncodeToString(id); r.IntN(2) == 0 {
					v[name] = strings.ToUpper(v[name].(string))
				}
			case strings.HasSuffix(name, "UnixNano") && r.IntN(2) == 0:
				v[name] = json.Number(s)
			}
			rewrite(r, e)
		}
		if r.IntN(4) == 0 {
			v["ofALaterVersion"] = []any{nil, 1.5, "größer \"\n", map[string]any{"x": []any{true, false}}}
			v["[of.a.later.Version]"] = -1
		}
	}
}

// discardUnknown removes the fields that JSON cannot hold.
func discardUnknown(m protoreflect.Message) {
	m.SetUnknown(nil)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				discardUnknown(v.List().Get(i).Message())
			}
		case f.Message() != nil && !f.IsMap(): // OTLP has no maps
			discardUnknown(v.Message())
		}
		return true
	})
}

// OTLP's JSON gives the message that it was made of, in an arena and on the heap.
func TestOTLPJSON(t *testing.T) {
	var pool arena.Pool
	r := rand.New(rand.NewPCG(*seed, 10))
	for _, typ := range []proto.Message{(*traces.ExportTraceServiceRequest)(nil), (*metrics.ExportMetricsServiceRequest)(nil), (*logs.ExportLogsServiceRequest)(nil)} {
		for range 2 * rounds() {
			want := typ.ProtoReflect().New()
			fill(r, want, 5)
			discardUnknown(want)
			data := otlpJSON(t, r, want.Interface())
			for _, text := range texts {
				got := typ.ProtoReflect().New().Interface()
				for _, a := range []*arena.Arena{pool.Get(), nil} {
					if err := (arenapb.UnmarshalJSONOptions{Text: text, OTLP: true}).Unmarshal(a, data, got); err != nil {
						t.Fatalf("%.2000s: %v", data, err)
					}
					if !same(t, got, want.Interface()) {
						t.Fatalf("%.2000s:\ngot  %v\nwant %v", data, got, want)
					}
					a.Free()
				}
			}
		}
	}
}

func TestInvalidOTLPJSON(t *testing.T) {
	var pool arena.Pool
	for _, c := range []struct{ span, want string }{
		{`{"traceId": "5b8efff798038103d269b633813fc60"}`, "opentelemetry.proto.trace.v1.Span at byte 58: an ID that does not consist of hexadecimal digits"},
		{`{"spanId": "+/+/+/+/"}`, "hexadecimal digits"},
		{`{"parentSpanId": 7}`, "a value that is not a valid string"},
		{`{"startTimeUnixNano": "1.5"}`, "not a number of the field's type"},
		{`{"startTimeUnixNano": -1}`, "not a number of the field's type"},
		{`{"name": "x", "name": "y"}`, "occurs twice"},
		{`{"name": "\ud800"}`, "not UTF-8"},
		{`{"name": "\q"}`, "not a valid string"},
		{`{"name": "x"`, "not JSON"},
		{`{"name": `, "not JSON"},
		{`{"attributes": {}}`, "not an array"},
		{`{"attributes": [null]}`, "not an object"},
		{`{"attributes": [{"value": {"intValue": 1, "stringValue": ""}}]}`, "a second field of a oneof"},
		{`{"later": [1, {"x": ]}`, "not JSON"},
		{`{"later": ` + strings.Repeat("[", 10_000), "nested too deeply"},
		{`{"attributes":[{"value":` + strings.Repeat(`{"arrayValue":{"values":[`, 5_000), "nested too deeply"},
	} {
		for _, a := range []*arena.Arena{pool.Get(), nil} {
			data := []byte(`{"resourceSpans": [{"scopeSpans": [{"spans": [` + c.span)
			if balanced := json.Valid([]byte(c.span)); balanced {
				data = append(data, `]}]}]}`...)
			}
			m := new(traces.ExportTraceServiceRequest)
			err := arenapb.UnmarshalJSONOptions{Text: arena.TextArena, OTLP: true}.Unmarshal(a, data, m)
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, proto.Error) {
				t.Errorf("%.80s: got the error %v, want %q", c.span, err, c.want)
			}
			if err := (arenapb.UnmarshalJSONOptions{Text: arena.TextArena, OTLP: true}).Unmarshal(a, []byte(`{"resourceSpans":[{"schemaUrl":"x"}]}`), m); err != nil || m.ResourceSpans[0].SchemaUrl != "x" {
				t.Errorf("after %.80s: got %v, %v", c.span, m, err)
			}
			a.Free()
		}
	}
}

// A batch in JSON that comes again needs no memory of the heap.
func TestOTLPJSONDoesNotAllocate(t *testing.T) {
	if arena.Backend != "slab" || checks {
		t.Skip("this build does not reuse memory")
	}
	request := new(traces.ExportTraceServiceRequest)
	if err := proto.Unmarshal(batch(t, 1000), request); err != nil {
		t.Fatal(err)
	}
	request.ResourceSpans[0].ScopeSpans[0].Spans[0].Events = []*trace.Span_Event{{Name: "with \"escapes\"\n"}}
	data := otlpJSON(t, rand.New(rand.NewPCG(*seed, 11)), request)
	a := arena.NewArena()
	defer a.Free()
	round := func() {
		if err := (arenapb.UnmarshalJSONOptions{Text: arena.TextArena, OTLP: true}).Unmarshal(a, data, request); err != nil {
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

// Strings and IDs outlive the arena, unless the options say otherwise.
func TestKeptTextOfJSON(t *testing.T) {
	var pool arena.Pool
	data := []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","name":"a \"name\"","traceState":"plain"}]}]}]}`)
	var kept []*trace.Span
	for range 100 {
		a := pool.Get()
		m := new(traces.ExportTraceServiceRequest)
		if err := (arenapb.UnmarshalJSONOptions{OTLP: true}).Unmarshal(a, bytes.Clone(data), m); err != nil {
			t.Fatal(err)
		}
		s := m.ResourceSpans[0].ScopeSpans[0].Spans[0]
		kept = append(kept, &trace.Span{TraceId: s.TraceId, Name: s.Name, TraceState: s.TraceState})
		a.Free()
	}
	for _, s := range kept {
		if hex.EncodeToString(s.TraceId) != "5b8efff798038103d269b633813fc60c" || s.Name != `a "name"` || s.TraceState != "plain" {
			t.Fatalf("a kept span is %v now", s)
		}
	}
}

func BenchmarkOTLPJSON(b *testing.B) {
	request := new(traces.ExportTraceServiceRequest)
	if err := proto.Unmarshal(batch(b, 1000), request); err != nil {
		b.Fatal(err)
	}
	data := otlpJSON(b, rand.New(rand.NewPCG(*seed, 13)), request)
	for name, a := range map[string]*arena.Arena{"arena": arena.NewArena(), "heap": nil} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := (arenapb.UnmarshalJSONOptions{Text: arena.TextArena, OTLP: true}).Unmarshal(a, data, request); err != nil {
					b.Fatal(err)
				}
				a.Reset()
			}
		})
		a.Free()
	}
}

// Any input is accepted with equal messages, or refused, wherever the message and its text
// lie. As protojson takes IDs for base64, it agrees where there are none.
func FuzzOTLPJSON(f *testing.F) {
	r := rand.New(rand.NewPCG(*seed, 14))
	for range 10 {
		m := new(traces.ExportTraceServiceRequest)
		fill(r, m.ProtoReflect(), 5)
		discardUnknown(m.ProtoReflect())
		f.Add(otlpJSON(f, r, m))
	}
	var pool arena.Pool
	f.Fuzz(func(t *testing.T, data []byte) {
		onHeap := new(traces.ExportTraceServiceRequest)
		wantErr := arenapb.UnmarshalJSONOptions{OTLP: true}.Unmarshal(nil, data, onHeap)
		for _, text := range texts {
			a := pool.Get()
			m := new(traces.ExportTraceServiceRequest)
			err := arenapb.UnmarshalJSONOptions{OTLP: true, Text: text}.Unmarshal(a, data, m)
			if (err == nil) != (wantErr == nil) || err == nil && !same(t, m, onHeap) {
				t.Fatalf("%.2000s:\nin an arena   %v, %v\non the heap %v, %v", data, m, err, onHeap, wantErr)
			}
			a.Free()
		}
		if bytes.Contains(bytes.ToLower(data), []byte("id")) || bytes.Contains(data, []byte(`\u`)) {
			return // there may be IDs
		}
		other := new(traces.ExportTraceServiceRequest)
		err := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, other)
		if json.Valid(data) && (err == nil) != (wantErr == nil) || err == nil && wantErr == nil && !same(t, onHeap, other) {
			t.Fatalf("%.2000s:\ngot  %v, %v\nwant %v, %v", data, onHeap, wantErr, other, err)
		}
	})
}
