package discover

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// api answers as the API of a cluster does: a list in two parts, for who has the token.
func api(t *testing.T, parts ...string) (*cluster, *httptest.Server) {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer of-the-account":
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/api/v1/namespaces/shop/pods" && r.FormValue("continue") == "":
			w.Write([]byte(parts[0]))
		case r.FormValue("continue") == "second":
			w.Write([]byte(parts[1]))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for name, data := range map[string][]byte{"token": []byte("of-the-account\n"), "ca.crt": cert} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := newCluster(server.URL, dir)
	if err != nil {
		t.Fatal(err)
	}
	return c, server
}

func TestPods(t *testing.T) {
	c, _ := api(t, `{"metadata":{"continue":"second"},"items":[
		{"metadata":{"name":"shop-1","namespace":"shop","labels":{"app.kubernetes.io/name":"checkout"},
			"annotations":{"profiles.grafana.com/memory.scrape":"true","profiles.grafana.com/memory.port_name":"pprof"}},
		 "spec":{"containers":[{"name":"proxy","image":"proxy:1"},{"name":"app","image":"registry:5000/shop:v1.4@sha256:00",
			"ports":[{"name":"pprof","containerPort":6060}],"resources":{"limits":{"memory":"512Mi"}}}]},
		 "status":{"phase":"Running","podIP":"10.1.0.7"}},
		{"metadata":{"name":"quiet","namespace":"shop"},"status":{"phase":"Running","podIP":"10.1.0.8"}}]}`,
		`{"items":[
		{"metadata":{"name":"six","namespace":"shop","labels":{"version":"v2"},"annotations":{"pyroscope.io/scrape":"true","pyroscope.io/port":"6060"}},
		 "spec":{"containers":[{"name":"pay","image":"pay:latest"}]},"status":{"phase":"Running","podIP":"fd00::7"}},
		{"metadata":{"name":"starting","namespace":"shop","annotations":{"pyroscope.io/scrape":"true","pyroscope.io/port":"6060"}},
		 "spec":{"containers":[{"name":"pay"}]},"status":{"phase":"Pending"}},
		{"metadata":{"name":"wrong","namespace":"shop","annotations":{"pyroscope.io/scrape":"true","pyroscope.io/port":"x"}},
		 "spec":{"containers":[{"name":"pay"}]},"status":{"phase":"Running","podIP":"10.1.0.9"}}]}`)
	got, err := c.targets(t.Context(), "shop")
	want := []scrape.Target{
		{URL: "http://10.1.0.7:6060", Service: "checkout", Version: "v1.4", Limit: 512 << 20, Labels: map[string]string{"namespace": "shop", "pod": "shop-1"}},
		{URL: "http://[fd00::7]:6060", Service: "pay", Version: "v2", Labels: map[string]string{"namespace": "shop", "pod": "six"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err == nil || !strings.Contains(err.Error(), "shop/wrong") {
		t.Errorf("a wrong annotation is not named: %v", err)
	}
	c.token = "other"
	if _, err := c.targets(t.Context(), "shop"); err == nil || !strings.Contains(err.Error(), "verb list") {
		t.Error(err)
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	if _, err := Pods("all").Targets(t.Context()); err == nil {
		t.Error("there are pods outside of a cluster")
	}
}

func TestQuantity(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "128974848": 128974848, "129e6": 129000000, "129M": 129000000, "123Mi": 123 << 20, "1.5Gi": 3 << 29, "5m": 0, "-1": 0, "x": 0} {
		if got := quantity(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func FuzzPods(f *testing.F) {
	f.Add([]byte(`{"items":[{"metadata":{"annotations":{"pyroscope.io/scrape":"true","pyroscope.io/port":"6060"}},"spec":{"containers":[{"image":"a:b"}]},"status":{"phase":"Running","podIP":"::1"}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var list podList
		if json.Unmarshal(data, &list) != nil {
			return
		}
		for i := range list.Items {
			if target, ok, err := list.Items[i].target(); ok && (err != nil || target.Limit < 0 || target.URL == "") {
				t.Fatal(target, err)
			}
		}
	})
}
