package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

// deployed starts a server with 20 minutes of two versions of a service, six processes of
// each. A function takes half as much again in the newer one.
func deployed(t *testing.T) (url string) {
	t.Helper()
	s, err := serve.Open(serve.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for process := range 12 {
		version, samples := "v1", 100
		if process%2 == 1 {
			version, samples = "v2", 150
		}
		for minute := 0; minute < 20; minute += 3 {
			p := profiletest.NewCPU().
				CPU(int64(samples+minute%3), "example.org/shop.price@/src/shop/price.go:7"+profiletest.Main).
				CPU(int64(300+process), "example.org/shop.parse@/src/shop/parse.go:5"+profiletest.Main)
			p.DurationNanos = 10e9
			var b bytes.Buffer
			if err := p.Write(&b); err != nil {
				t.Fatal(err)
			}
			at := now.Add(time.Duration(minute-20)*time.Minute + time.Duration(process)*time.Second)
			labels := store.Labels{"version": version, "instance": fmt.Sprint(process)}
			if _, err := s.Append(t.Context(), store.Entry{Service: "shop", Time: at, Labels: labels}, b.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	}
	server := httptest.NewServer(web.New(s, web.Options{}))
	t.Cleanup(func() {
		server.Close()
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := s.Run(ended); err != nil { // it closes the store
			t.Error(err)
		}
	})
	return server.URL
}

// heapwright runs a command.
func heapwright(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	var texts [2]string
	var files [2]*os.File
	for i := range files {
		f, err := os.Create(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	code = Main(t.Context(), Env{Stdout: files[0], Stderr: files[1]}, args)
	for i, f := range files {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return code, texts[0], texts[1]
}

// Two versions that a server keeps are compared, whether it is a serve, which has made the
// comparison, or a Pyroscope, which has only the profiles.
func TestCompareProfiles(t *testing.T) {
	url := deployed(t)
	for _, source := range []string{"serve+" + url, "pyroscope+" + url} {
		code, out, stderr := heapwright(t, "compare", "-config=none", "-profiles", source, "-service", "shop")
		if code != exitOK || !strings.Contains(out, "shop: v2 beside v1, from ") ||
			!strings.Contains(out, "worse") || !strings.Contains(out, "example.org/shop.price  /src/shop/price.go:7") {
			t.Errorf("%s: exit code %d\n%s%s", source, code, out, stderr)
		}
		code, out, stderr = heapwright(t, "compare", "-config=none", "-json", "-profiles",
			source+"?service=shop&version=v1&last=30m", "-base-version", "v2")
		var c serve.SideBySide
		if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK || c.After != "v1" || c.CPU == nil ||
			len(c.CPU.Changes) == 0 || c.CPU.Changes[0].Verdict != "better" {
			t.Errorf("%s: exit code %d, %v\n%s%s", source, code, err, out, stderr)
		}
		for _, wrong := range []struct {
			args []string
			says string
		}{
			{[]string{source}, "give -service SERVICE"},
			{[]string{source + "?service=nobody"}, "nobody"},
			{[]string{source + "?service=shop&last=5m"}, "no two versions ran at the same time"},
			{[]string{source + "?service=shop", "-base-version", "v7"}, "no two versions ran at the same time"},
			{[]string{source + "?service=shop", "./..."}, "name no target"},
		} {
			code, _, stderr := heapwright(t, append([]string{"compare", "-config=none", "-profiles"}, wrong.args...)...)
			if code == exitOK || !strings.Contains(stderr, wrong.says) {
				t.Errorf("%q: exit code %d: %s", wrong.args, code, stderr)
			}
		}
	}
	if code, _, stderr := heapwright(t, "compare", "-config=none", "-profiles", url); code != exitUsage ||
		!strings.Contains(stderr, "write serve+http://HOST:PORT") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
