package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Targets get the token for targets, and the Pyroscope gets its own.
func TestTokensOfServe(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := map[string]bool{}
	var mu sync.Mutex
	server := func(name, token string) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Authorization"); got != "Bearer "+token {
				t.Errorf("%s gets %q at %s", name, got, r.URL.Path)
			}
			if r.URL.Path == "/debug/pprof/heap" {
				pprof.Handler("heap").ServeHTTP(w, r)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[r.URL.Path] = true
			if seen["/debug/pprof/heap"] && seen["/push.v1.PusherService/Push"] {
				cancel()
			}
		}))
	}
	target, pyroscope := server("a target", "of-targets"), server("the Pyroscope", "of-pyroscope")
	defer target.Close()
	defer pyroscope.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	code := Main(ctx, Env{Stdout: null, Stderr: null}, []string{"serve", "-config=none", "-listen=127.0.0.1:0", "-o", filepath.Join(dir, "out"),
		"-heap-every=1s", "-scrape-token-file", file("targets", "of-targets\n"),
		"-from=pyroscope=" + pyroscope.URL, "-from-token-file", file("pyroscope", "of-pyroscope\n"), "shop=" + target.URL})
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
}
