package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A scheduler acts on the exit code.
func TestCollectExitCodes(t *testing.T) {
	serve := func(routes map[string]http.HandlerFunc) string {
		mux := http.NewServeMux()
		for path, h := range routes {
			mux.HandleFunc("/debug/pprof/"+path, h)
		}
		srv := httptest.NewServer(mux)
		t.Cleanup(srv.Close)
		return srv.URL
	}
	heap := pprof.Handler("heap").ServeHTTP
	cut := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"nothing there": {[]string{serve(nil)}, exitFailed, "404 Not Found"},
		"no URL":        {[]string{"ftp://x"}, exitUsage, "only http and https"},
		"no CA":         {[]string{"-ca", "nowhere", "https://x"}, exitUsage, "nowhere"},
		"a part":        {[]string{serve(map[string]http.HandlerFunc{"heap": heap, "profile": cut})}, exitIncomplete, "incomplete: 2 parts"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			errs, err := os.Create(filepath.Join(dir, "stderr"))
			if err != nil {
				t.Fatal(err)
			}
			defer errs.Close()
			args := append([]string{"collect", "-duration", "1s", "-o", filepath.Join(dir, "out")}, c.args...)
			code := Main(context.Background(), Env{Stdout: errs, Stderr: errs}, args)
			text, err := os.ReadFile(errs.Name())
			if err != nil || code != c.code || !strings.Contains(string(text), c.says) {
				t.Errorf("exit code %d, want %d, saying %q (%v):\n%s", code, c.code, c.says, err, text)
			}
		})
	}
}
