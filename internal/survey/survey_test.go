package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// surveyed writes the files of a module and surveys it.
func surveyed(t *testing.T, files map[string]string) (*Module, string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.org/app\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var config strings.Builder
	if err := m.WriteConfig(&config); err != nil {
		t.Fatal(err)
	}
	return m, config.String()
}

// A port for profiles alone does not make a command a server.
func TestDiagnosticsPort(t *testing.T) {
	const program = `package main

import (
	"flag"
	"net/http"
	_ "net/http/pprof"
)

var pprof = flag.String("http", "", "")

func main() { go func() { %s }() }
`
	for serve, want := range map[string]string{
		`panic(http.ListenAndServe(*pprof, nil))`:                                      "",
		`panic(http.ListenAndServe(fmt.Sprintf(":%d", *pprof), nil))`:                  "",
		`http.HandleFunc("/healthz", ok); panic(http.ListenAndServe(*pprof, nil))`:     "",
		`http.HandleFunc("POST /items", add); panic(http.ListenAndServe(*pprof, nil))`: "HTTP",
		`panic(http.ListenAndServe(*pprof, router()))`:                                 "HTTP",
		`s := http.Server{Addr: *pprof}; panic(s.ListenAndServe())`:                    "HTTP",
	} {
		m, _ := surveyed(t, map[string]string{"main.go": strings.Replace(program, "%s", serve, 1)})
		if got := m.Mains[0].Server; got != want {
			t.Errorf("%s: server %q, want %q", serve, got, want)
		}
	}
}

// The benchmarks of a program's parts do not stand for a service that can be loaded.
func TestManyBenchmarks(t *testing.T) {
	const service = `package main

import (
	"flag"
	"net/http"
)

func main() {
	addr := flag.String("addr", ":8080", "")
	http.HandleFunc("/items", items)
	http.ListenAndServe(*addr, nil)
}
`
	for n, want := range map[int]string{
		3:   "packages = [\".\"]\n",
		426: "\nmain = \".\"\nargs = [\"-addr\", \"127.0.0.1:{port}\"]\n\n[server]\nurl = \"http://127.0.0.1:{port}/items\"\n",
	} {
		tests := "package main\n"
		for i := range n {
			tests += fmt.Sprintf("func BenchmarkPart%d(b *testing.B) {}\n", i)
		}
		_, config := surveyed(t, map[string]string{"main.go": service, "main_test.go": tests})
		if !strings.Contains(config, want) {
			t.Errorf("%d benchmarks:\n%s, want\n%s", n, config, want)
		}
	}
}
