package web

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/client"
)

// The Connect protocol as Grafana's data source speaks it: its forms, and its errors.
func TestConnect(t *testing.T) {
	h, _ := fleet(t, Access{Read: Bearer("reader"), Write: Bearer("writer")})
	if w := request(h, "POST", "/api/push/shop?app.io%2Fname=x", heap(t), "Authorization", "Bearer writer"); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	const querier = "/querier.v1.QuerierService/"
	for _, c := range []struct {
		address, kind, body string
		code                int
		want                string
	}{
		{querier + "LabelValues", "application/json", `{"name":"service_name"}`, 200, `{"names":["shop"]}`},
		{querier + "LabelValues", "application/json; charset=utf-8", `{"name":"service_name","new":1}`, 200, `{"names":["shop"]}`},
		{querier + "LabelValues", "application/proto", "\n\x0cservice_name", 200, "\n\x04shop"},
		{querier + "LabelValues", "application/json", `{"name":`, 400, `"code":"invalid_argument"`},
		{querier + "Tomorrow", "application/proto", "", 501, `"code":"unimplemented"`},
		{"/settings.v1.SettingsService/Get", "application/json", "{}", 200, `{}`},
		{"/settings.v1.SettingsService/Get", "application/proto", "", 200, ""},
		{"/settings.v1.SettingsService/Set", "application/json", "{}", 501, `"code":"unimplemented"`},
		{querier + "LabelValues", "application/grpc", "", 415, "Connect"},
		{querier + "LabelValues", "application/json", strings.Repeat(" ", mostSent+1), 429, `"code":"resource_exhausted"`},
	} {
		w := request(h, "POST", c.address, []byte(c.body), "Content-Type", c.kind, "Authorization", "Bearer reader")
		if w.Code != c.code || !strings.Contains(strings.ReplaceAll(w.Body.String(), `": `, `":`), c.want) {
			t.Errorf("%s %s: %d %.200s", c.address, c.kind, w.Code, w.Body)
		}
		if !strings.HasPrefix(c.kind, w.Header().Get("Content-Type")) && w.Code == 200 {
			t.Errorf("%s: answered as %s", c.kind, w.Header().Get("Content-Type"))
		}
		if w := request(h, "POST", c.address, []byte(c.body), "Content-Type", c.kind, "Authorization", "Bearer writer"); w.Code != 401 {
			t.Errorf("%s without a token to read: %d", c.address, w.Code)
		}
	}
	for accept, want := range map[string]bool{"": false, "*/*; allow-utf8-labelnames=true": true, "x/y, a/b;allow-utf8-labelnames=true": true, "=": false} {
		w := request(h, "POST", querier+"LabelNames", []byte("{}"), "Content-Type", "application/json", "Authorization", "Bearer reader", "Accept", accept)
		if w.Code != 200 || strings.Contains(w.Body.String(), "app.io/name") != want {
			t.Errorf("%q: %d %s", accept, w.Code, w.Body)
		}
	}
	w := request(h, "GET", `/pyroscope/render?query=memory:inuse_objects:count:space:bytes%7B%7D&from=now-1h`, nil,
		"Authorization", "Bearer reader", "Accept-Encoding", "gzip")
	zr, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(w.Code, err)
	}
	var d struct{ Flamebearer struct{ NumTicks int64 } }
	text, err := io.ReadAll(zr)
	if err != nil || json.Unmarshal(text, &d) != nil || d.Flamebearer.NumTicks != 100 {
		t.Errorf("%d %.300s %v", w.Code, text, err)
	}
	if w := request(h, "GET", "/pyroscope/render-diff?leftQuery=x", nil, "Authorization", "Bearer reader"); w.Code != 400 {
		t.Error(w.Code, w.Body)
	}
}

// While the server that keeps the profiles is away, its pages are a bad gateway's and not a
// fault of this one.
func TestOtherServerIsAway(t *testing.T) {
	s, err := serve.Open(serve.Options{Dir: t.TempDir(), From: client.NewStore("http://127.0.0.1:1", client.Auth{})})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if err := s.Run(ctx); err != nil { // it closes the store
			t.Error(err)
		}
	}()
	h := New(s, Options{Log: slog.New(slog.DiscardHandler)})
	if w := request(h, "GET", "/service/shop", nil); w.Code != 502 || !strings.Contains(w.Body.String(), "connection refused") {
		t.Error(w.Code, w.Body)
	}
	w := request(h, "POST", "/querier.v1.QuerierService/LabelValues", []byte(`{"name":"service_name"}`), "Content-Type", "application/json")
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"unavailable"`) {
		t.Error(w.Code, w.Body)
	}
	if w := request(h, "GET", "/", nil); w.Code != 200 {
		t.Error(w.Code, w.Body)
	}
}
