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
	"os"
	"strings"
	"testing"
	"time"

	"github.com/grafana/pyroscope-go"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/client"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/web"
)

var kept [][]byte

//go:noinline
func allocate() { kept = append(kept, make([]byte, 1<<20)) }

var sum uint64

// work takes enough CPU time for some samples.
//
//go:noinline
func work() {
	for i := range uint64(30_000_000) {
		sum += i * sum
	}
}

// logger fails the test at an error of the client, which it would only log.
type logger struct{ t *testing.T }

func (logger) Infof(string, ...any)                {}
func (logger) Debugf(string, ...any)               {}
func (l logger) Errorf(format string, args ...any) { l.t.Errorf(format, args...) }

// start starts a server, with another one that keeps its profiles if from is not nil.
func start(t *testing.T, from forward.Remote) string {
	t.Helper()
	s, err := serve.Open(serve.Options{Dir: t.TempDir(), From: from})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	access := web.Access{Read: web.Bearer("reader", "both"), Write: web.Bearer("writer", "both")}
	server := httptest.NewServer(web.New(s, web.Options{Access: access, Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(func() {
		server.Close()
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

// The client pushes to a server that keeps the profiles, to one that sends them on to another
// one, and to one in front of the Pyroscope at PYROSCOPE_URL.
func TestRealClient(t *testing.T) {
	t.Run("kept", func(t *testing.T) { pushes(t, start(t, nil)) })
	t.Run("forwarded", func(t *testing.T) {
		pushes(t, start(t, client.NewStore(start(t, nil), client.Auth{Token: "both"})))
	})
	t.Run("Pyroscope", func(t *testing.T) {
		address := os.Getenv("PYROSCOPE_URL")
		if address == "" {
			t.Skip("set PYROSCOPE_URL to the address of a Pyroscope that may take some profiles")
		}
		pushes(t, start(t, client.NewStore(address, client.Auth{})))
	})
}

// pushes lets the client push profiles, and waits until the server answers them. A server
// sends profiles on after it has acknowledged them.
func pushes(t *testing.T, url string) {
	t.Helper()
	pushing, err := pyroscope.Start(pyroscope.Config{
		ApplicationName:   "shop",
		ServerAddress:     url,
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
		work()
	}
	pushing.Flush(true)
	if err := pushing.Stop(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for kind, function := range map[string]string{"heap": "allocate", "goroutine": "runtime/pprof", "cpu": "work"} {
		said := ""
		for found := false; !found && ctx.Err() == nil; {
			found, said = answers(ctx, t, url, kind, function)
		}
		if ctx.Err() != nil {
			t.Errorf("%s: %s is not in it: %s", kind, function, said)
		}
	}
}

// answers reports whether a server has a profile with a function.
func answers(ctx context.Context, t *testing.T, url, kind, function string) (found bool, said string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/profile/shop?version=v1&kind="+kind, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer reader")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err.Error()
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		return false, resp.Status + ": " + string(text)
	}
	p, err := profile.NewDecoder(profile.Options{}).Decode(kind, resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for column := range p.SampleTypes {
		for _, g := range p.Group(column) {
			found = found || strings.Contains(g.Name, function)
		}
	}
	return found, "it has other functions"
}
