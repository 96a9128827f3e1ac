package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/store"
)

// fleet is a server with one service that pushed two profiles.
func fleet(t *testing.T, access Access) (http.Handler, *serve.Server) {
	t.Helper()
	s, err := serve.Open(serve.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	return New(s, Options{Access: access, OTLP: true, Log: slog.New(slog.DiscardHandler)}), s
}

func heap(t *testing.T) []byte {
	t.Helper()
	p := profiletest.NewHeap(0).Heap(1000, 100, profiletest.Malloc+"fmt.Sprintf@/go/src/fmt/print.go:1 example.org/shop.key@/src/shop/key.go:7"+profiletest.Main)
	p.TimeNanos = time.Now().UnixNano()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// request asks a handler as a client of this machine does.
func request(h http.Handler, method, address string, body []byte, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+address, bytes.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if strings.HasPrefix(r.Header.Get("Host"), "evil") {
		r.Host = r.Header.Get("Host")
	}
	return answer(h, r)
}

func answer(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPages(t *testing.T) {
	h, _ := fleet(t, Access{})
	const hostile = `<script>alert(1)</script>`
	for _, service := range []string{"shop", hostile} {
		address := "/api/push/" + url.PathEscape(service) + "?version=" + url.QueryEscape(hostile) + "&instance=1"
		if w := request(h, "POST", address, heap(t)); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		for _, page := range []string{"/service/%s", "/diagnosis/%s", "/flame/%s?kind=inuse_space", "/service/%s?last=5m", "/api/profile/%s?kind=heap", "/api/window/%s"} {
			address := strings.ReplaceAll(page, "%s", url.PathEscape(service))
			w := request(h, "GET", address, nil)
			if w.Code != 200 || strings.Contains(w.Body.String(), hostile) {
				t.Errorf("%s: %d %.300s", address, w.Code, w.Body)
			}
		}
	}
	if w := request(h, "GET", "/", nil); w.Code != 200 || w.Header().Get("X-Frame-Options") != "DENY" {
		t.Error(w.Code)
	}
	p, err := profile.NewDecoder(profile.Options{}).Decode("x", request(h, "GET", "/api/profile/shop?kind=heap", nil).Body)
	if err != nil || p.Total(2) != 100 {
		t.Error(err)
	}
}

func TestBadRequests(t *testing.T) {
	h, _ := fleet(t, Access{})
	old := profiletest.NewHeap(-1e9).Heap(1, 1, "app.f@x.go:1")
	var past bytes.Buffer
	if err := old.Write(&past); err != nil {
		t.Fatal(err)
	}
	many := url.Values{}
	for i := range 40 {
		many.Set(strings.Repeat("x", i+1), "y")
	}
	for _, c := range []struct {
		method, address string
		body            []byte
		code            int
		header          []string
	}{
		{"GET", "/service/nobody", nil, 404, nil},
		{"GET", "/flame/nobody?kind=cpu", nil, 404, nil},
		{"GET", "/flame/nobody?kind=x", nil, 400, nil},
		{"GET", "/service/x?from=never", nil, 400, nil},
		{"GET", "/service/x?last=-1h", nil, 400, nil},
		{"GET", "/service/x?from=10&to=5", nil, 400, nil},
		{"GET", "/nowhere", nil, 404, nil},
		{"GET", "/api/push/shop", nil, 405, nil},
		{"POST", "/api/push/shop", []byte("nonsense"), 400, nil},
		{"POST", "/api/push/shop", nil, 400, nil},
		{"POST", "/api/push/shop", past.Bytes(), 422, nil},
		{"POST", "/api/push/shop?" + many.Encode(), heap(t), 400, nil},
		{"POST", "/api/push/" + strings.Repeat("x", 300), heap(t), 400, nil},
		{"POST", "/api/push/shop", make([]byte, mostSent+1), 413, nil},
		{"POST", "/api/push/shop", heap(t), 403, []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}},
		{"GET", "/", nil, 403, []string{"Host", "evil.example"}},
	} {
		if w := request(h, c.method, c.address, c.body, c.header...); w.Code != c.code {
			t.Errorf("%s %.60s: %d %.200s, want %d", c.method, c.address, w.Code, w.Body, c.code)
		}
	}
}

func TestRoles(t *testing.T) {
	h, _ := fleet(t, Access{Read: Bearer("reader", "both"), Write: Bearer("writer", "both")})
	for token, want := range map[string][2]int{"": {401, 401}, "reader": {200, 401}, "writer": {401, 200}, "both": {200, 200}, "other": {401, 401}} {
		header := []string{"Authorization", "Bearer " + token}
		if token == "" {
			header = nil
		}
		if w := request(h, "GET", "/", nil, header...); w.Code != want[0] {
			t.Errorf("%q reads: %d", token, w.Code)
		}
		if w := request(h, "POST", "/api/push/shop", heap(t), header...); w.Code != want[1] {
			t.Errorf("%q writes: %d %s", token, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest("GET", "http://fleet.example/", nil)
	r.SetBasicAuth("anybody", "reader") // as a browser does
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != 200 {
		t.Error(w.Code)
	}
}

func TestAddressesThatOthersReach(t *testing.T) {
	for address, l := range map[string]struct {
		Listener
		access  Access
		refused bool
	}{
		"127.0.0.1:0": {},
		"[::1]:0":     {},
		"0.0.0.0:0":   {refused: true},
		":0":          {refused: true},
		"[::]:0":      {Listener: Listener{NoAuth: true}},
		"0.0.0.0:00":  {access: Access{Read: Bearer("x")}},
	} {
		l.Address = address
		got, err := l.Open(t.Context(), l.access)
		if errors.Is(err, ErrUnprotected) != l.refused {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			got.Close()
		}
	}
}

// Two versions that run side by side are a page and JSON, and a window is a profile for the
// compiler.
func TestVersions(t *testing.T) {
	h, s := fleet(t, Access{})
	now := time.Now()
	for replica := range 12 {
		for minute := range 20 {
			version, samples := "v1", 100
			if replica%2 == 1 {
				version, samples = "v2", 150
			}
			p := profiletest.NewCPU().CPU(int64(samples+minute%3), "example.org/shop.price@/src/shop/price.go:7"+profiletest.Main).
				CPU(int64(300+replica), "example.org/shop.parse@/src/shop/parse.go:5"+profiletest.Main)
			p.DurationNanos = 10e9
			var b bytes.Buffer
			if err := p.Write(&b); err != nil {
				t.Fatal(err)
			}
			e := store.Entry{Service: "shop", Time: now.Add(time.Duration(minute-20) * time.Minute), Labels: store.Labels{"version": version, "instance": fmt.Sprint(replica)}}
			if _, err := s.Append(t.Context(), e, b.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	}
	page := request(h, "GET", "/versions/shop", nil)
	if text := page.Body.String(); page.Code != 200 || !strings.Contains(text, "example.org/shop.price") || !strings.HasSuffix(text, "</html>\n") {
		t.Error(page.Code, text)
	}
	var c serve.SideBySide
	w := request(h, "GET", "/api/versions/shop?base-version=v1&version=v2", nil)
	if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil || c.CPU == nil || len(c.CPU.Changes) == 0 || !c.CPU.Changes[0].Confirmed() || c.CPU.Changes[0].Line != 7 {
		t.Error(w.Code, w.Body, err)
	}
	for _, address := range []string{"/versions/nobody", "/api/versions/shop?base-version=v7", "/versions/shop?last=5m"} {
		if w := request(h, "GET", address, nil); w.Code != 404 {
			t.Error(address, w.Code, w.Body)
		}
	}
	w = request(h, "GET", "/pgo/shop/default.pgo", nil)
	p, err := profile.NewDecoder(profile.Options{}).Decode("default.pgo", w.Body)
	if err != nil || p.Total(0) < 12*20*400 || w.Header().Get("Heapwright-Matches") != "1.000" || w.Header().Get("Last-Modified") == "" {
		t.Error(w.Code, w.Header(), err)
	}
	if w := request(h, "GET", "/service/shop", nil); !strings.Contains(w.Body.String(), "/pgo/shop/default.pgo?") || !strings.Contains(w.Body.String(), "/versions/shop?") {
		t.Error(w.Body)
	}
}
