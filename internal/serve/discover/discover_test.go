package discover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/serve/scrape"
)

const (
	inJSON = `[{"targets":["10.0.0.1:6060","10.0.0.2:6060"],"labels":{"job":"shop","version":"v1","__meta":"x"}}]`
	inYAML = "- targets: ['10.0.0.1:6060', \"10.0.0.2:6060\"]\n  labels:\n    job: shop\n    version: v1\n    __meta: x\n"
)

func shop() []scrape.Target {
	labels := map[string]string{"job": "shop", "version": "v1"}
	return []scrape.Target{
		{URL: "http://10.0.0.1:6060", Service: "shop", Version: "v1", Labels: labels},
		{URL: "http://10.0.0.2:6060", Service: "shop", Version: "v1", Labels: labels},
	}
}

func TestFormats(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.json": inJSON, "b.yml": inYAML} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Files(filepath.Join(dir, name[:1]+"*")).Targets(t.Context())
		if diff := cmp.Diff(shop(), got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sd" {
			w.Write([]byte(inJSON))
			return
		}
		http.Redirect(w, r, "/sd", http.StatusFound)
	}))
	defer server.Close()
	if got, err := HTTP(server.URL + "/sd").Targets(t.Context()); err != nil || !cmp.Equal(got, shop()) {
		t.Error(got, err)
	}
	if _, err := HTTP(server.URL).Targets(t.Context()); err == nil {
		t.Error("a redirect is followed")
	}
	got, err := parseGroups([]byte(`[{"targets":["ftp://x","10.0.0.1:6060"],"labels":{"__scheme__":"https"}}]`))
	if len(got) != 1 || got[0].URL != "https://10.0.0.1:6060" || err == nil || !strings.Contains(err.Error(), "ftp://x") {
		t.Error(got, err)
	}
}

// Lists that are made to take memory are refused.
func TestLargeLists(t *testing.T) {
	laughs := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		laughs += fmt.Sprintf("%c: &%[1]c [%s]\n", c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 9))
	}
	for name, text := range map[string]string{
		"aliases": laughs + "- targets: *j\n", "entries": strings.Repeat("- {}\n", 1<<20),
		"depth": strings.Repeat("[", 1<<20),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		all, err := parseGroups([]byte(text))
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err == nil || len(all) > 0 || got > 64<<20 {
			t.Errorf("%s: %d MiB for %d KiB: %d, %v", name, got>>20, len(text)>>10, len(all), err)
		}
	}
	many := `[{"targets":["a:1"` + strings.Repeat(`,"a:1"`, 2*mostTargets) + `]}]`
	if all, err := parseGroups([]byte(many)); len(all) != mostTargets || !errors.Is(err, errTooMany) {
		t.Error(len(all), err)
	}
}

// The URL of a list may have a password, which is in no name and no error. An answer without
// an end is no list.
func TestURLsOfLists(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "u" || password != "hunter2" || r.FormValue("key") != "hunter2" {
			t.Error("the password is not sent")
		}
		for r.URL.Path == "/endless" {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	host := strings.TrimPrefix(server.URL, "http://")
	for _, address := range []string{host + "/empty", host + "/endless", "127.0.0.1:1/gone", "%zz/odd"} {
		h := HTTP("http://u:hunter2@" + address + "?key=hunter2")
		all, err := h.Targets(t.Context())
		if err == nil && address != host+"/empty" || len(all) > 0 || strings.Contains(fmt.Sprint(h, err), "hunter2") {
			t.Error(h, all, err)
		}
	}
	server.Close()
}

type names map[string][]string

func (n names) LookupHost(_ context.Context, name string) ([]string, error) {
	if n[name] == nil {
		return nil, errors.New("no such host")
	}
	return n[name], nil
}

func (n names) LookupSRV(_ context.Context, _, _, name string) (string, []*net.SRV, error) {
	return "", []*net.SRV{{Target: "b.example.", Port: 7000}}, nil
}

func TestDNS(t *testing.T) {
	for text, want := range map[string][]string{
		"shop=pods.example:6060":       {"http://10.0.0.1:6060", "http://[::1]:6060"},
		"shop=_http._tcp.pods.example": {"http://b.example:7000"},
		"shop=gone.example:1":          nil,
	} {
		d, err := ParseDNS(text)
		if err != nil {
			t.Fatal(err)
		}
		d.resolver = names{"pods.example": {"::1", "10.0.0.1"}}
		var got []string
		all, err := d.Targets(t.Context())
		for _, target := range all {
			got = append(got, target.URL)
			if target.Service != "shop" {
				t.Error(target)
			}
		}
		if !cmp.Equal(got, want) || (err != nil) != (want == nil) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "shop", "shop=x", "=x:1"} {
		if _, err := ParseDNS(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// flaky fails or returns targets, as it is told.
type flaky struct {
	targets []scrape.Target
	err     error
}

func (f *flaky) Targets(context.Context) ([]scrape.Target, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.targets, nil
}
func (f *flaky) String() string { return "flaky" }

// A source that fails keeps the targets of its last success, until it succeeds again.
func TestSourcesThatFail(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := &flaky{}
		var got []scrape.Target
		w := New([]Source{Static(shop()[:1]), f})
		var want []scrape.Target
		failing := false
		for range rapid.IntRange(1, 20).Draw(r, "asks") {
			f.err, f.targets = nil, shop()[rapid.IntRange(0, 2).Draw(r, "from"):]
			if rapid.Bool().Draw(r, "fails") {
				f.err = errors.New("away")
			} else {
				want = f.targets
			}
			before := w.Statuses()[1].Since
			w.ask(context.Background(), func(all []scrape.Target) { got = all })
			seen := map[string]bool{}
			for _, target := range got {
				if seen[target.URL] {
					r.Fatal("one process twice")
				}
				seen[target.URL] = true
			}
			for _, target := range want {
				if !seen[target.URL] {
					r.Fatalf("%s is lost", target.URL)
				}
			}
			status := w.Statuses()[1]
			if (status.Err != nil) != (f.err != nil) || failing && f.err != nil && status.Since != before {
				r.Fatalf("%+v", status)
			}
			failing = f.err != nil
		}
	})
}

// hanging never answers.
type hanging struct{}

func (hanging) Targets(ctx context.Context) ([]scrape.Target, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
func (hanging) String() string { return "hanging" }

// A source that hangs keeps the targets of the others waiting for nothing.
func TestSourceThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New([]Source{hanging{}, Static(shop())})
		began, sets := time.Now(), 0
		w.ask(t.Context(), func(all []scrape.Target) {
			if sets++; len(all) != 2 || sets == 1 && time.Since(began) > 0 {
				t.Errorf("%d targets after %v", len(all), time.Since(began))
			}
		})
		if sets != 2 || w.Statuses()[0].Err == nil {
			t.Errorf("set %d times: %+v", sets, w.Statuses()[0])
		}
	})
}

func FuzzGroups(f *testing.F) {
	f.Add([]byte(inJSON))
	f.Add([]byte(inYAML))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, _ := parseGroups(data)
		for _, target := range all {
			if !strings.HasPrefix(target.URL, "http") {
				t.Fatal(target)
			}
		}
	})
}
