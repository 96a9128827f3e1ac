package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/store"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]struct {
		service string
		labels  store.Labels
	}{
		"shop":                                {"shop", store.Labels{}},
		"shop{}":                              {"shop", store.Labels{}},
		"shop{pod=a,service_git_ref=v1}":      {"shop", store.Labels{"pod": "a", "instance": "a", "service_git_ref": "v1", "version": "v1"}},
		`x{service_name=pay, version="v2"}`:   {"pay", store.Labels{"service_name": "pay", "version": "v2"}},
		"shop{__session_id__=7,instance=own}": {"shop", store.Labels{"__session_id__": "7", "instance": "own"}},
	} {
		service, labels, err := parseName(name)
		if err != nil || service != want.service || !cmp.Equal(labels, want.labels) {
			t.Errorf("%s: %s %v %v", name, service, labels, err)
		}
	}
	for _, name := range []string{"shop{", "shop{x}"} {
		if _, _, err := parseName(name); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("shop{pod=a,service_git_ref=v1}")
	f.Fuzz(func(t *testing.T, name string) {
		service, labels, err := parseName(name)
		size := len(service)
		for name, value := range labels {
			size += len(name) + len(value)
		}
		if err == nil && size > 3*len(name)+3*len("instance") {
			t.Fatal(service, labels)
		}
	})
}

// formOf is a profile in a form, as pyroscope-go sends it, and the form's content type.
func formOf(t *testing.T, profile []byte) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("profile", "profile.pprof")
	if err != nil {
		t.Fatal(err)
	}
	part.Write(profile)
	if part, err = form.CreateFormFile("sample_type_config", "x.json"); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(part, `{"inuse_space":{"aggregation":"average"},"alloc_space":{}}`)
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), form.FormDataContentType()
}

// pack compresses a body.
func pack(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	zw.Write(data)
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Live memory and allocations since the profile before, as pyroscope-go sends them.
func TestIngest(t *testing.T) {
	h, _ := fleet(t, Access{})
	now := time.Now()
	for i := range 3 {
		var profile bytes.Buffer
		if err := profiletest.NewHeap(0).Heap(10, int64(i), "app.f@x.go:1").Write(&profile); err != nil {
			t.Fatal(err)
		}
		body, contentType := formOf(t, profile.Bytes())
		address := fmt.Sprintf("/ingest?name=shop{pod=a}&until=%d", now.Add(time.Duration(i-9)*time.Second).UnixNano())
		if w := request(h, "POST", address, body, "Content-Type", contentType); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	p, err := profile.NewDecoder(profile.Options{}).Decode("x", request(h, "GET", "/api/profile/shop?kind=heap", nil).Body)
	if err != nil || p.Total(0) != 30 || p.Total(2) != 2 {
		t.Error(p, err)
	}
	for address, code := range map[string]int{
		"/ingest?name=":                               400,
		"/ingest?name={}":                             400,
		"/ingest?name=a%00b":                          400,
		"/ingest?name=shop&until=x":                   400,
		"/ingest?name=shop&format=jfr":                501,
		"/ingest?name=shop&format=folded":             400,
		"/ingest?name=shop&format=lines&sampleRate=0": 400,
		"/ingest?name=shop&until=99999999999":         422,
	} {
		if w := request(h, "POST", address, heap(t)); w.Code != code {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
}

// Profiles without labels are of the process at the sender's address: snapshots of two
// senders do not look like one that restarts.
func TestProfilesWithoutLabels(t *testing.T) {
	for name, to := range map[string]string{"plain": "/api/push/shop", "ingest": "/ingest?name=shop", "message": pushRPC} {
		h, _ := fleet(t, Access{})
		for i := range 6 {
			p := profiletest.NewHeap(0).Heap(int64(1000*(1+i%2)+i), 7, "app.f@x.go:1")
			p.TimeNanos = time.Now().Add(time.Duration(i-9) * time.Second).UnixNano()
			var b bytes.Buffer
			if err := p.Write(&b); err != nil {
				t.Fatal(err)
			}
			body := b.Bytes()
			if name == "message" {
				body = pushMessage(body, "service_name", "shop")
			}
			r := httptest.NewRequest("POST", "http://localhost"+to, bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/proto")
			r.RemoteAddr = fmt.Sprintf("10.0.0.%d:%d", 1+i%2, 1000+i)
			if w := answer(h, r); w.Code != 200 {
				t.Fatal(name, w.Code, w.Body)
			}
		}
		w := request(h, "GET", "/api/profile/shop?kind=heap", nil)
		p, err := profile.NewDecoder(profile.Options{}).Decode("x", w.Body)
		if err != nil || p.Total(0) != 8 || p.Total(2) != 14 {
			t.Errorf("%s: it grew by %d, to %d live: %v", name, p.Total(0), p.Total(2), err)
		}
	}
}

// Stacks as text become a CPU profile with its time.
func TestIngestText(t *testing.T) {
	h, _ := fleet(t, Access{})
	until := time.Now().Unix()
	for format, text := range map[string]string{"folded": "main;work 10\nmain 5\n", "lines": "main;work\nmain\n"} {
		address := fmt.Sprintf("/ingest?name=%s{}&format=%s&from=%d&until=%d&sampleRate=1000", format, format, until-10, until)
		if w := request(h, "POST", address, []byte(text)); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		w := request(h, "GET", "/api/profile/"+format+"?kind=cpu", nil)
		p, err := profile.NewDecoder(profile.Options{}).Decode("x", w.Body)
		if want := map[string]int64{"folded": 15e6, "lines": 2e6}[format]; err != nil || p.Total(1) != want {
			t.Errorf("%s: %v %v", format, p, err)
		}
	}
}

// exportOf is a message of OTLP with a CPU profile of a service.
func exportOf(service string, samples uint64) []byte {
	field := func(number protowire.Number, parts ...[]byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), bytes.Join(parts, nil))
	}
	number := func(number protowire.Number, n uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), n)
	}
	types := field(1, number(1, 1), number(2, 2))
	one := field(2, types, field(2, number(1, 1), number(4, samples)), field(5, number(1, 3), number(2, 4)), number(6, 1e7))
	resource := field(1, field(1, field(1, []byte("service.name")), field(2, field(1, []byte(service)))))
	dictionary := [][]byte{field(2), field(2, field(3, number(1, 1), number(2, 42))), field(3), field(3, number(1, 5)), field(7), field(7, number(1, 1))}
	for _, word := range []string{"", "samples", "count", "cpu", "nanoseconds", "app.work"} {
		dictionary = append(dictionary, field(5, []byte(word)))
	}
	return append(field(1, resource, field(2, one)), field(2, dictionary...)...)
}

// OTLP's profiles are taken only if asked for. Of a message, those that can be kept are, and
// the answer counts the others.
func TestOTLP(t *testing.T) {
	const address = "/v1development/profiles"
	h, s := fleet(t, Access{})
	post := func(h http.Handler, body []byte) *httptest.ResponseRecorder {
		return request(h, "POST", address, body, "Content-Type", "application/x-protobuf")
	}
	if w := post(New(s, Options{}), exportOf("shop", 7)); w.Code != 501 {
		t.Error(w.Code, w.Body)
	}
	// Messages that stand one after the other are one with both profiles.
	both := append(exportOf("shop", 7), exportOf(strings.Repeat("x", 300), 7)...)
	if w := post(h, both); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "\x0a") || !strings.Contains(w.Body.String(), "\x08\x01") {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	w := request(h, "GET", "/api/profile/shop?kind=cpu", nil)
	if p, err := profile.NewDecoder(profile.Options{}).Decode("x", w.Body); err != nil || p.Total(1) != 7e7 {
		t.Error(p, err)
	}
	if w := request(h, "POST", address, exportOf("shop", 7), "Content-Type", "application/json"); w.Code != 415 {
		t.Error(w.Code)
	}
}

// pushMessage is a message as Grafana Alloy sends it.
func pushMessage(profile []byte, labels ...string) []byte {
	field := func(b []byte, n protowire.Number, value []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), value)
	}
	var series []byte
	for i := 0; i+1 < len(labels); i += 2 {
		series = field(series, 1, field(field(nil, 1, []byte(labels[i])), 2, []byte(labels[i+1])))
	}
	return field(nil, 1, field(series, 2, field(field(nil, 1, profile), 2, []byte("id"))))
}

func TestPush(t *testing.T) {
	h, _ := fleet(t, Access{})
	message := pushMessage(heap(t), "__name__", "memory", "service_name", "shop", "pod", "a")
	const rpc = "/push.v1.PusherService/Push"
	for _, w := range []*httptest.ResponseRecorder{
		request(h, "POST", rpc, message, "Content-Type", "application/proto"),
		request(h, "POST", rpc, pack(t, message), "Content-Type", "application/proto", "Content-Encoding", "gzip"),
	} {
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/proto" {
			t.Error(w.Code, w.Body)
		}
	}
	p, err := profile.NewDecoder(profile.Options{}).Decode("x", request(h, "GET", "/api/profile/shop?kind=heap", nil).Body)
	if err != nil || p.Total(2) != 100 {
		t.Error("repeated, it counts once:", p, err)
	}
	message = pushMessage(heap(t), "__name__", "memory", "__delta__", "false", "service_name", "pay", "pod", "a")
	request(h, "POST", rpc, message, "Content-Type", "application/proto")
	names := request(h, "POST", "/querier.v1.QuerierService/LabelNames", []byte(`{"matchers":["{service_name=\"pay\"}"]}`), "Content-Type", "application/json")
	if text := names.Body.String(); !strings.Contains(text, "pod") || strings.Contains(text, "__delta__") {
		t.Error("labels about a profile are kept as its process's:", text)
	}
	for _, c := range []struct {
		body []byte
		code int
	}{{[]byte{0xff}, 400}, {pushMessage([]byte("x"), "service_name", "shop"), 400}, {pushMessage(heap(t)), 400}, {pushMessage(nil, "service_name", "shop"), 400}} {
		if w := request(h, "POST", rpc, c.body, "Content-Type", "application/proto"); w.Code != c.code {
			t.Errorf("%q: %d %s", c.body, w.Code, w.Body)
		}
	}
}

func FuzzPush(f *testing.F) {
	f.Add(pushMessage([]byte("profile"), "service_name", "shop"))
	f.Fuzz(func(t *testing.T, message []byte) {
		all, err := parsePush(message)
		size, profiles := 0, 0
		for _, s := range all {
			for _, p := range s.profiles {
				profiles++
				size += len(p)
			}
		}
		if size > len(message) || err == nil && max(len(all), profiles) > mostProfiles {
			t.Fatal(size, profiles, len(all))
		}
	})
}
