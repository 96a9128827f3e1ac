package client

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/internal/serve"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

// A server judges the profiles of another one as if they were its own.
func TestStore(t *testing.T) {
	address := strings.TrimPrefix(ours(t, web.Access{}), pyroscopePrefix)
	s, err := serve.Open(serve.Options{Dir: t.TempDir(), From: NewStore(address+"/", Auth{})})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	w := serve.Window{Service: "shop", From: now.Add(-time.Hour), To: now.Add(time.Minute)}
	j := s.Judge(t.Context(), w)
	if j.Err != nil {
		t.Fatal(j.Err)
	}
	if fmt.Sprint(j.Usage.Versions) != "[v1 v2]" || j.Version != "v2" || j.Usage.Live == 0 || j.Usage.Cores == 0 {
		t.Errorf("%+v", j.Usage)
	}
	p, err := s.Merge(t.Context(), serve.Window{Service: "shop", From: w.From, To: w.To}, store.CPU)
	if err != nil || p.Total(0) != 3 {
		t.Error(p, err)
	}
	curves, err := s.Series(t.Context(), w)
	if err != nil || len(curves) < 2 {
		t.Error(curves, err)
	}
	services, err := s.Store().Services(t.Context(), w.From, w.To)
	if err != nil || fmt.Sprint(services) != "[shop]" {
		t.Error(services, err)
	}
	if f := s.Fleet(); f.Origin != address {
		t.Error(f.Origin)
	}
	if j := s.Judge(t.Context(), serve.Window{Service: "nobody", From: w.From, To: w.To}); !errors.Is(j.Err, store.ErrNone) {
		t.Error(j.Err)
	}
	gone, err := serve.Open(serve.Options{Dir: t.TempDir(), From: NewStore("http://127.0.0.1:1", Auth{})})
	if err != nil {
		t.Fatal(err)
	}
	if j := gone.Judge(t.Context(), w); j.Err == nil {
		t.Error("a Pyroscope that is gone is judged")
	}
}

// A Pyroscope learns the tenant and the token of who asks. One that keeps tenants together is
// not read and gets no profile.
func TestTenants(t *testing.T) {
	apart := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		in := &pb.LabelNamesRequest{}
		switch {
		case err != nil:
			t.Error(err)
		case path.Base(r.URL.Path) == "LabelNames" && (proto.Unmarshal(body, in) != nil || in.Start == 0 || in.End == 0):
			w.WriteHeader(http.StatusBadRequest) // a real one answers so whether it knows tenants or not
		case r.Header.Get("Authorization") != "Bearer token":
			t.Error(r.Header)
		case r.Header.Get("X-Scope-OrgID") == "" && apart:
			w.WriteHeader(http.StatusUnauthorized)
		case r.Header.Get("X-Scope-OrgID") == "" && r.URL.Path != "/sub/querier.v1.QuerierService/LabelNames":
			t.Error(r.URL)
		}
	}))
	defer server.Close()
	for _, apart = range []bool{false, true} {
		s := NewStore(server.URL+"/sub/", Auth{Token: "token", Tenant: "red"})
		_, err := s.Services(t.Context(), time.Unix(0, 0), time.Now())
		if pushed := s.Push(t.Context(), nil); errors.Is(err, ErrShared) == apart || errors.Is(pushed, ErrShared) == apart {
			t.Error(apart, err, pushed)
		}
	}
}

// Grafana asks a server in front of a Pyroscope as it asks that. It chooses no tenant, and an
// address to go to instead is no answer.
func TestPass(t *testing.T) {
	there := strings.TrimPrefix(ours(t, web.Access{Read: web.Bearer("reader")}), pyroscopePrefix)
	front := func(address string) *httptest.Server {
		s, err := serve.Open(serve.Options{Dir: t.TempDir(), From: NewStore(address, Auth{Token: "reader"})})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(web.New(s, web.Options{Log: slog.New(slog.DiscardHandler)}))
		t.Cleanup(server.Close)
		return server
	}
	ask := func(method, address, body string) string {
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Scope-OrgID", "other")
		req.SetBasicAuth("", "reader")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(resp.StatusCode, resp.Header.Get("Content-Type"), string(answer))
	}
	here := front(there)
	const query, cpu = "/querier.v1.QuerierService/", "process_cpu:cpu:nanoseconds:cpu:nanoseconds"
	for _, c := range []struct{ method, address, body, want string }{
		{"POST", query + "LabelValues", `{"name":"service_name"}`, `"shop"`},
		{"POST", query + "ProfileTypes", `{}`, cpu},
		{"POST", query + "SelectMergeStacktraces", `{"profileTypeID":"` + cpu + `","labelSelector":"{version=\"v2\"}"}`, `20000000`},
		{"POST", query + "Tomorrow", `{}`, "501"},
		{"GET", "/pyroscope/render?query=" + cpu + "%7B%7D&from=now-1h", "", "30000000"},
	} {
		got, want := ask(c.method, here.URL+c.address, c.body), ask(c.method, there+c.address, c.body)
		if got != want && !strings.Contains(c.address, "render") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %.300s, there %.300s", c.address, got, want)
		}
	}
	elsewhere := httptest.NewServer(http.RedirectHandler(there, http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	if got := ask("POST", front(elsewhere.URL).URL+query+"LabelValues", `{"name":"service_name"}`); !strings.HasPrefix(got, "503") {
		t.Error(got)
	}
}

// No question is about more than a day, and the steps of all fill the window.
func TestLongWindows(t *testing.T) {
	var covered int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		in := &pb.SelectSeriesRequest{}
		if path.Base(r.URL.Path) != "SelectSeries" {
			return
		}
		if err := errors.Join(err, proto.Unmarshal(body, in)); err != nil {
			t.Error(err)
		}
		took, step := in.End-in.Start, int64(in.Step*1000)
		if took > 24*3600*1000 || took%step != 0 {
			t.Errorf("%d ms in steps of %d", took, step)
		}
		if in.ProfileTypeID == columns[store.CPU][0] {
			covered += took + 1
		}
	}))
	defer server.Close()
	now := time.UnixMilli(time.Now().UnixMilli())
	for _, last := range []time.Duration{10 * time.Second, time.Hour, 24*time.Hour + time.Second, 100 * time.Hour, 400 * 24 * time.Hour} {
		covered = 0
		q := store.Query{Service: "shop", Kind: store.CPU, From: now.Add(-last), To: now}
		if _, err := NewStore(server.URL, Auth{}).Select(t.Context(), q); err != nil || covered < last.Milliseconds() || covered > last.Milliseconds()+2000 {
			t.Errorf("%v: %d of %d ms: %v", last, covered, last.Milliseconds(), err)
		}
	}
}

// An answer without an end takes no more memory than it may.
func TestEndlessAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	_, err := NewStore(server.URL, Auth{}).Services(t.Context(), time.Unix(0, 0), time.Now())
	if err == nil || !strings.Contains(err.Error(), "more than 128 MiB") {
		t.Error(err)
	}
	if err := NewStore(server.URL, Auth{}).Push(t.Context(), nil); err != nil {
		t.Error("its status is 200:", err)
	}
}
