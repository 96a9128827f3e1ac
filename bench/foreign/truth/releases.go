package truth

// Releases are all releases, in the order of the page. That allocations fell is
// said in each by the figures of the benchmark, before and after.
var Releases = []*Release{
	{
		// 162 B and 6 allocations, then 32 B and 2.
		Name: "rs-cors", Path: "github.com/rs/cors", Before: "v1.10.1", After: "v1.11.0", Package: ".",
		Mended: []Place{
			{At: "cors.go:356-357", Why: "a preflight's headers are split and put in canonical form"},
			{At: "cors.go:370-378", Why: "and joined again"},
			{At: "utils.go:18-45", Why: "split"},
			{At: "utils.go:54-72", Why: "put in canonical form"},
		},
		Benchmark: `package cors_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/cors"
)

func BenchmarkRelease(b *testing.B) {
	h := cors.New(cors.Options{AllowedOrigins: []string{"https://a.example"}, AllowedHeaders: []string{"X-Requested-With", "Content-Type"}}).
		Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	r := httptest.NewRequest("OPTIONS", "/", nil)
	r.Header.Set("Origin", "https://a.example")
	r.Header.Set("Access-Control-Request-Method", "GET")
	r.Header.Set("Access-Control-Request-Headers", "content-type,x-requested-with")
	w := httptest.NewRecorder()
	for i := 0; i < b.N; i++ {
		for name := range w.Header() {
			delete(w.Header(), name)
		}
		h.ServeHTTP(w, r)
	}
}
`,
	},
	{
		// 164 KB and 7 allocations, then 256 B and 7.
		Name: "jwt", Path: "github.com/golang-jwt/jwt/v5", Before: "v5.2.1", After: "v5.2.2", Package: ".",
		Mended: []Place{{At: "parser.go:139", Why: "a token of many dots is split at all of them"}},
		Benchmark: `package jwt_test

import (
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

func BenchmarkRelease(b *testing.B) {
	p, dots := jwt.NewParser(), strings.Repeat(".", 10000)
	for i := 0; i < b.N; i++ {
		if _, _, err := p.ParseUnverified(dots, jwt.MapClaims{}); err == nil {
			b.Fatal("parsed")
		}
	}
}
`,
	},
	{
		// 174 KB and 4 allocations, then 10 KB and 3.
		Name: "jose", Path: "github.com/go-jose/go-jose/v4", Before: "v4.0.4", After: "v4.0.5", Package: ".",
		Mended: []Place{{At: "jws.go:330", Why: "a signature of many dots is split at all of them"}},
		Benchmark: `package jose_test

import (
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

func BenchmarkRelease(b *testing.B) {
	dots := strings.Repeat(".", 10000)
	for i := 0; i < b.N; i++ {
		if _, err := jose.ParseSigned(dots, []jose.SignatureAlgorithm{jose.HS256}); err == nil {
			b.Fatal("parsed")
		}
	}
}
`,
	},
	{
		// 352 B and 10 allocations, then 16 B and 2.
		Name: "go-version", Path: "github.com/hashicorp/go-version", Before: "v1.7.0", After: "v1.8.0", Package: ".",
		Mended: []Place{{At: "version.go:384-401", Why: "a version is formatted, also to compare it"}},
		Benchmark: `package version_test

import (
	"testing"

	"github.com/hashicorp/go-version"
)

func BenchmarkRelease(b *testing.B) {
	x, y := version.Must(version.NewVersion("1.2.3")), version.Must(version.NewVersion("1.2.4"))
	for i := 0; i < b.N; i++ {
		if x.Compare(y) >= 0 {
			b.Fatal("not less")
		}
	}
}
`,
	},
	{
		// 160 B and 1 allocation, then none.
		Name: "levenshtein", Path: "github.com/agnivade/levenshtein", Before: "v1.0.3", After: "v1.1.0", Package: ".",
		Mended: []Place{{At: "levenshtein.go:45", Why: "the row of a short text"}},
		Benchmark: `package levenshtein_test

import (
	"testing"

	"github.com/agnivade/levenshtein"
)

func BenchmarkRelease(b *testing.B) {
	for i := 0; i < b.N; i++ {
		levenshtein.ComputeDistance("a sandwich with cheese", "the sandwiches of cheese")
	}
}
`,
	},
	{
		// 320 B and 8 allocations, then 128 B and 2.
		Name: "otel-propagation", Path: "go.opentelemetry.io/otel", Before: "v1.21.0", After: "v1.22.0", Package: "propagation",
		Mended: []Place{
			{At: "propagation/trace_context.go:89", Why: "a header is matched by a regular expression"},
			{At: "propagation/trace_context.go:102", Why: "a byte is decoded from a text"},
			{At: "propagation/trace_context.go:121-137", Why: "identifiers and flags are decoded"},
		},
		Benchmark: `package propagation_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/propagation"
)

func BenchmarkRelease(b *testing.B) {
	h := propagation.MapCarrier{"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
	for i := 0; i < b.N; i++ {
		propagation.TraceContext{}.Extract(context.Background(), h)
	}
}
`,
	},
	{
		// 754 B and 12 allocations, then 224 B and 3.
		Name: "otel-trace", Path: "go.opentelemetry.io/otel/trace", Before: "v1.21.0", After: "v1.22.0", Package: ".",
		Mended: []Place{
			{At: "tracestate.go:54-75", Why: "members are matched by regular expressions"},
			{At: "tracestate.go:123", Why: "and split before"},
		},
		Benchmark: `package trace_test

import (
	"testing"

	"go.opentelemetry.io/otel/trace"
)

func BenchmarkRelease(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if _, err := trace.ParseTraceState("key1=value1,key2=value2,key3=value3,key4=value4"); err != nil {
			b.Fatal(err)
		}
	}
}
`,
	},
	{
		// 834 B and 8 allocations, then 688 B and 6.
		Name: "otel-baggage", Path: "go.opentelemetry.io/otel", Before: "v1.21.0", After: "v1.22.0", Package: "baggage",
		Mended: []Place{
			{At: "baggage/baggage.go:109", Why: "a property is matched by a regular expression"},
			{At: "baggage/baggage.go:302-312", Why: "so are key and value"},
		},
		Benchmark: `package baggage_test

import (
	"testing"

	"go.opentelemetry.io/otel/baggage"
)

func BenchmarkRelease(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if _, err := baggage.Parse("userId=alice;a=1;b=2;c=3"); err != nil {
			b.Fatal(err)
		}
	}
}
`,
	},
	{
		// 177 B and 12 allocations, then 81 B and 2.
		Name: "cbor", Path: "github.com/fxamacker/cbor/v2", Before: "v2.5.0", After: "v2.6.0", Package: ".",
		Mended: []Place{{At: "encode.go:978-984", Why: "reflect copies each key and each value of a map"}},
		Benchmark: `package cbor_test

import (
	"testing"

	"github.com/fxamacker/cbor/v2"
)

func BenchmarkRelease(b *testing.B) {
	mode, err := cbor.CanonicalEncOptions().EncMode()
	if err != nil {
		b.Fatal(err)
	}
	m := map[string]int{"a": 1, "bb": 2, "ccc": 3, "dddd": 4, "eeeee": 5}
	for i := 0; i < b.N; i++ {
		if _, err := mode.Marshal(m); err != nil {
			b.Fatal(err)
		}
	}
}
`,
	},
	{
		// 12 KB and 3 allocations, then none.
		Name: "uniseg", Path: "github.com/rivo/uniseg", Before: "v0.2.0", After: "v0.3.0", Package: ".",
		Mended: []Place{
			{At: "grapheme.go:122-135", Why: "a text is copied as runes with their places"},
			{At: "grapheme.go:262-264", Why: "to count its clusters"},
		},
		Benchmark: `package uniseg_test

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

func BenchmarkRelease(b *testing.B) {
	text := strings.Repeat("bread and cheese ", 50)
	for i := 0; i < b.N; i++ {
		uniseg.GraphemeClusterCount(text)
	}
}
`,
	},
	{
		// 1,024 B and 78 allocations, then 104 B and 3.
		Name: "strcase", Path: "github.com/iancoleman/strcase", Before: "v0.0.0-20191112232945-16388991a334", After: "v0.1.0", Package: ".",
		Mended: []Place{
			{At: "camel.go:34-58", Why: "a text grows by += of each letter"},
			{At: "snake.go:68-112", Why: "so does this"},
		},
		Benchmark: `package strcase_test

import (
	"testing"

	"github.com/iancoleman/strcase"
)

func BenchmarkRelease(b *testing.B) {
	for i := 0; i < b.N; i++ {
		strcase.ToSnake("ManyManyWordsInOneName")
		strcase.ToCamel("many_many_words_in_one_name")
	}
}
`,
	},
	{
		// A reader of encoding/csv for each text, then a scanner of its own.
		Name: "mimetype", Path: "github.com/gabriel-vasile/mimetype", Before: "v1.4.9", After: "v1.4.10", Package: ".",
		Mended: []Place{{At: "internal/magic/text_csv.go:38-58", Why: "a text is read by encoding/csv to see whether it can be"}},
		Benchmark: `package mimetype_test

import (
	"testing"

	"github.com/gabriel-vasile/mimetype"
)

func BenchmarkRelease(b *testing.B) {
	text := []byte("a,b,c\n1,2,3\n4,5,6\n")
	for i := 0; i < b.N; i++ {
		mimetype.Detect(text)
	}
}
`,
	},
}
