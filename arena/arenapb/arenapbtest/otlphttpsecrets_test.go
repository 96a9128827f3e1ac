package arenapbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// A rejection makes its text from the request when it is asked, as many errors do.
type rejection struct{ span *trace.Span }

func (r *rejection) Error() string { return "rejected " + r.span.GetName() }

// Each client is answered with its own text, however late the text is made.
func TestOTLPHTTPAnswersOfOthers(t *testing.T) {
	type request = coltrace.ExportTraceServiceRequest
	span := func(q *request) *trace.Span { return q.ResourceSpans[0].ScopeSpans[0].Spans[0] }
	for _, test := range []struct {
		name string
		o    otlphttp.Options
		fail func(ctx context.Context, q *request) error
	}{
		{"text made late", otlphttp.Options{}, func(_ context.Context, q *request) error { return &rejection{span(q)} }},
		{"wrapped", otlphttp.Options{}, func(_ context.Context, q *request) error { return errors.Join(&rejection{span(q)}) }},
		{"text of the request", otlphttp.Options{TextInArena: true}, func(_ context.Context, q *request) error {
			return &otlphttp.Error{Status: 400, Message: span(q).Name}
		}},
		{"text in the arena", otlphttp.Options{}, func(ctx context.Context, q *request) error {
			return &otlphttp.Error{Status: 400, Message: arena.Concat(arena.FromContext(ctx), "no ", span(q).Name)}
		}},
		{"panic", otlphttp.Options{}, func(_ context.Context, q *request) error { panic(&rejection{span(q)}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pool arena.Pool
			h := otlphttp.WithOptions(test.o, &pool, func(ctx context.Context, q *request) (*coltrace.ExportTraceServiceResponse, error) {
				return nil, test.fail(ctx, q)
			})
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer func() { // as a middleware that recovers does
					if p := recover(); p != nil {
						fmt.Fprint(w, p)
					}
				}()
				h.ServeHTTP(w, r)
			}))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.Start()
			defer s.Close()
			var all sync.WaitGroup
			for client := range 16 {
				all.Go(func() {
					for i := range 100 {
						name := fmt.Sprintf("secret-of-client-%02d-%04d", client, i)
						body, err := proto.Marshal(&request{ResourceSpans: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{{Name: name}}}}}}})
						if err != nil {
							t.Error(err)
							return
						}
						r, err := http.Post(s.URL, "application/x-protobuf", bytes.NewReader(body))
						if err != nil {
							t.Error(err)
							return
						}
						answer, err := io.ReadAll(r.Body)
						r.Body.Close()
						if err != nil || !strings.Contains(string(answer), name) {
							t.Errorf("%s was answered %q, %v", name, answer, err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}
