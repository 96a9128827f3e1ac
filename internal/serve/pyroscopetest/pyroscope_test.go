// Package pyroscopetest tests heapwright serve with the client that people have in their
// programs, github.com/grafana/pyroscope-go, and with the client of Grafana's data source.
// It is a module of its own, so that the clients are in no go.mod of a user.
package pyroscopetest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/grafana/pyroscope-go"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/web"
)

var kept [][]byte

//go:noinline
func allocate() { kept = append(kept, make([]byte, 1<<20)) }

// logger fails the test at an error of the client, which it would only log.
type logger struct{ t *testing.T }

func (logger) Infof(string, ...any)                {}
func (logger) Debugf(string, ...any)               {}
func (l logger) Errorf(format string, args ...any) { l.t.Errorf(format, args...) }

func TestRealClient(t *testing.T) {
	s, err := serve.Open(serve.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	}()
	access := web.Access{Read: web.Bearer("reader"), Write: web.Bearer("writer")}
	server := httptest.NewServer(web.New(s, web.Options{Access: access, Log: slog.New(slog.DiscardHandler)}))
	defer server.Close()
	client, err := pyroscope.Start(pyroscope.Config{
		ApplicationName:   "shop",
		ServerAddress:     server.URL,
		BasicAuthUser:     "anybody",
		BasicAuthPassword: "writer",
		Logger:            logger{t},
		Tags:              map[string]string{"service_git_ref": "v1"},
		ProfileTypes: []pyroscope.ProfileType{pyroscope.ProfileCPU, pyroscope.ProfileAllocObjects, pyroscope.ProfileAllocSpace,
			pyroscope.ProfileInuseObjects, pyroscope.ProfileInuseSpace, pyroscope.ProfileGoroutines},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 32 {
		allocate()
	}
	client.Flush(true)
	if err := client.Stop(); err != nil {
		t.Fatal(err)
	}
	for kind, function := range map[string]string{"heap": "allocate", "goroutine": "runtime/pprof", "cpu": ""} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/profile/shop?version=v1&kind="+kind, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer reader")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			said, _ := io.ReadAll(resp.Body)
			t.Errorf("%s: %s: %s", kind, resp.Status, said)
			continue
		}
		p, err := profile.NewDecoder(profile.Options{}).Decode(kind, resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		found := function == ""
		for _, g := range p.Group(0) {
			found = found || strings.Contains(g.Name, function)
		}
		if !found {
			t.Errorf("%s: %s is not in it", kind, function)
		}
	}
}
