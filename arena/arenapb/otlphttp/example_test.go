package otlphttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/apipb"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

var pool arena.Pool // one for the process: requests share the memory

// The messages of OTLP are in go.opentelemetry.io/proto/otlp: a request for traces is a
// *coltracepb.ExportTraceServiceRequest. Any other messages can take their place.
func ExampleNewHandler() {
	export := func(ctx context.Context, request *apipb.Api) (*emptypb.Empty, error) {
		fmt.Println("received", request.Name, "with", len(request.Methods), "methods")
		return new(emptypb.Empty), nil
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/traces", otlphttp.NewHandler(export, &pool, otlphttp.Options{}))

	server := httptest.NewServer(mux)
	defer server.Close()
	body := strings.NewReader(`{"name": "places.v1", "methods": [{"name": "Get"}, {"name": "List"}]}`)
	response, err := http.Post(server.URL+"/v1/traces", "application/json", body)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	// Output:
	// received places.v1 with 2 methods
	// 200 OK
}

// An Error is sent to the client. The text of any other error is not.
func ExampleError() {
	export := func(ctx context.Context, request *apipb.Api) (*emptypb.Empty, error) {
		return nil, &otlphttp.Error{Status: http.StatusTooManyRequests, RetryAfter: 30 * time.Second, Message: "the queue is full"}
	}
	server := httptest.NewServer(otlphttp.NewHandler(export, &pool, otlphttp.Options{}))
	defer server.Close()
	response, err := http.Post(server.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fmt.Println(response.Status, "after", response.Header.Get("Retry-After"), "seconds:", string(body), err)
	// Output: 429 Too Many Requests after 30 seconds: {"code":8,"message":"the queue is full"} <nil>
}
