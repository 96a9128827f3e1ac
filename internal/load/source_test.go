package load

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// folder writes files and returns where they are.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSource(t *testing.T) {
	dir := folder(t, map[string]string{
		"body":    `{"a":1}`,
		"headers": "# who\nAuthorization: Bearer x:y\n\nX-Two: 1\nX-Two:2\n",
		"list":    "GET http://127.0.0.1:{port}/a\n\nPOST http://127.0.0.1:{port}/b\nX-Own: 3\n@body\n",
		"json":    `{"method":"PUT","url":"http://127.0.0.1:{port}/c","body":"aGk="}`,
	})
	header := http.Header{"Authorization": {"Bearer x:y"}, "X-Two": {"1", "2"}}
	for _, c := range []struct {
		name   string
		source Source
		want   []vegeta.Target
	}{
		{"url", Source{URL: "http://127.0.0.1:{port}/x"}, []vegeta.Target{{Method: "GET", URL: "http://127.0.0.1:81/x"}}},
		{"body", Source{URL: "https://h/x", Body: "body", Headers: "headers"}, []vegeta.Target{
			{Method: "POST", URL: "https://h/x", Body: []byte(`{"a":1}`), Header: header}}},
		{"method", Source{URL: "http://h/", Method: "DELETE"}, []vegeta.Target{{Method: "DELETE", URL: "http://h/"}}},
		{"list", Source{List: "list"}, []vegeta.Target{
			{Method: "GET", URL: "http://127.0.0.1:81/a", Header: http.Header{}},
			{Method: "POST", URL: "http://127.0.0.1:81/b", Body: []byte(`{"a":1}`), Header: http.Header{"X-Own": {"3"}}}}},
		{"json", Source{List: "json"}, []vegeta.Target{
			{Method: "PUT", URL: "http://127.0.0.1:81/c", Body: []byte("hi"), Header: http.Header{}}}},
	} {
		r, err := c.source.Read(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := r.targets(81)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, d)
		}
	}
}

func TestAddress(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost/x": "localhost:80", "https://[::1]/": "[::1]:443",
		"http://127.0.0.1:8080/": "127.0.0.1:8080", "http://127.0.0.1:{port}/": "127.0.0.1:7",
	} {
		r, err := Source{URL: url}.Read(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Address(7); got != want || r.TakesAnyPort() != strings.Contains(url, Port) {
			t.Errorf("%s: %s, any port %v", url, got, r.TakesAnyPort())
		}
	}
}

func TestBadSources(t *testing.T) {
	dir := folder(t, map[string]string{"empty": "\n", "headers": "A: 1\nno header\n", "list": "GET\n", "nobody": "POST http://h/\n@gone\n", "ftp": "GET ftp://h/\n"})
	for _, c := range []struct {
		source Source
		want   string
	}{
		{Source{}, "give a URL or a list"},
		{Source{URL: "http://h/", List: "list"}, "give either"},
		{Source{URL: "127.0.0.1:8080/x"}, "write it as http://"},
		{Source{URL: "grpc://h:1/S/M"}, "give http://h:1 and -load grpc=package.Service/Method"},
		{Source{URL: "/x"}, `"/x" is no URL of a server; write it as http://`},
		{Source{URL: "http://h/", Body: "gone"}, "the body of requests: stat "},
		{Source{URL: "http://h/", Headers: "gone"}, "the headers of requests: stat "},
		{Source{URL: "http://h/", Headers: "headers"}, `headers:2: "no header" is no header; write it as Name: value`},
		{Source{List: "gone"}, "the list of requests: stat "},
		{Source{List: "empty"}, "empty: no targets to attack; write it in"},
		{Source{List: "list"}, "list: bad target: GET"},
		{Source{List: "nobody"}, "nobody: stat "},
		{Source{List: "ftp"}, `ftp: request 1: "ftp://h/" is no URL`},
	} {
		if _, err := c.source.Read(t.Context(), dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.source, err, c.want)
		}
	}
}

func FuzzHeaders(f *testing.F) {
	f.Add("A: 1\n# no\n\nB:2")
	f.Add("no header")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(dir, "headers"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		header, err := readHeaders(t.Context(), dir, "headers")
		for key, values := range header {
			if err != nil || key == "" || strings.ContainsAny(key, " \t\n:") || len(values) == 0 {
				t.Fatalf("%q: %q %q, %v", text, key, values, err)
			}
		}
	})
}
