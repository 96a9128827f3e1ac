package arenapbtest

import (
	"bytes"
	"cmp"
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

// Each client is answered with its own text, however late the text is made, or with none
// of the request.
func TestOTLPHTTPAnswersOfOthers(t *testing.T) {
	type request = coltrace.ExportTraceServiceRequest
	type response = coltrace.ExportTraceServiceResponse
	span := func(q *request) *trace.Span { return q.ResourceSpans[0].ScopeSpans[0].Spans[0] }
	partly := func(text string) *response {
		return &response{PartialSuccess: &coltrace.ExportTracePartialSuccess{RejectedSpans: 1, ErrorMessage: text}}
	}
	for _, test := range []struct {
		name   string
		o      otlphttp.Options
		export func(ctx context.Context, q *request) (*response, error)
		want   string // instead of the name
	}{
		{"text made late", otlphttp.Options{}, func(_ context.Context, q *request) (*response, error) { return nil, &rejection{span(q)} }, "Internal Server Error"},
		{"wrapped", otlphttp.Options{}, func(_ context.Context, q *request) (*response, error) { return nil, errors.Join(&rejection{span(q)}) }, "Internal Server Error"},
		{"text of the request", otlphttp.Options{Text: arena.TextArena}, func(_ context.Context, q *request) (*response, error) {
			return nil, &otlphttp.Error{Status: 400, Message: span(q).Name}
		}, ""},
		{"wrapped text of the request", otlphttp.Options{Text: arena.TextAlias}, func(_ context.Context, q *request) (*response, error) {
			return nil, errors.Join(&rejection{span(q)}, &otlphttp.Error{Status: 400, Message: span(q).Name})
		}, ""},
		{"text in the arena", otlphttp.Options{}, func(ctx context.Context, q *request) (*response, error) {
			return nil, &otlphttp.Error{Status: 400, Message: arena.Concat(arena.FromContext(ctx), "no ", span(q).Name)}
		}, ""},
		{"partial success", otlphttp.Options{Text: arena.TextArena}, func(_ context.Context, q *request) (*response, error) { return partly(span(q).Name), nil }, ""},
		{"response in the arena", otlphttp.Options{}, func(ctx context.Context, q *request) (*response, error) {
			a := arena.FromContext(ctx)
			r := arena.New[response](a)
			r.PartialSuccess = partly(arena.Concat(a, "no ", span(q).Name)).PartialSuccess
			return r, nil
		}, ""},
		{"panic", otlphttp.Options{}, func(_ context.Context, q *request) (*response, error) { panic(&rejection{span(q)}) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pool arena.Pool
			h := otlphttp.NewHandler(test.export, &pool, test.o)
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
						if want := cmp.Or(test.want, name); err != nil || !strings.Contains(string(answer), want) || test.want != "" && strings.Contains(string(answer), "secret") {
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

// A handler that goes on after http.TimeoutHandler has answered keeps its request.
func TestOTLPHTTPTimedOut(t *testing.T) {
	var pool arena.Pool
	proceed, name := make(chan struct{}), make(chan string, 1)
	handler := otlphttp.NewHandler(func(_ context.Context, q *coltrace.ExportTraceServiceRequest) (*coltrace.ExportTraceServiceResponse, error) {
		<-proceed
		name <- strings.Clone(q.ResourceSpans[0].ScopeSpans[0].Spans[0].Name)
		return nil, errors.New("too late")
	}, &pool, otlphttp.Options{Text: arena.TextArena})
	limited := http.TimeoutHandler(handler, 1, "timed out")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // the server closes it when the time is out
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		limited.ServeHTTP(w, r)
	}))
	defer server.Close()
	answer, err := http.Post(server.URL, "application/x-protobuf", bytes.NewReader(batch(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "timed out" {
		t.Errorf("got %q, %v", body, err)
	}
	for range 8 {
		a := pool.Get()
		defer a.Free()
		arena.Bytes(a, bytes.Repeat([]byte("x"), 4<<10))
	}
	close(proceed)
	if got := <-name; got != "GET /api/v1/users/0" {
		t.Errorf("the request is %q after the answer", got)
	}
}
