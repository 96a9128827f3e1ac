package diagnose

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// folderOf copies files into one folder under other names.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			data = []byte(file)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const vars = `{"cmdline": ["x"], "memstats": {"Sys": 30000000, "HeapAlloc": 9000000, "HeapInuse": 10000000, "HeapIdle": 12000000,
 "HeapReleased": 4000000, "StackSys": 1000000, "MSpanSys": 100000, "NextGC": 12000000, "NumGC": 7, "TotalAlloc": 5000000000}}`

const document = `{"schema": "heapwright.collect/1", "files": [{"type": "vars", "path": "app-vars.json"}]}`

const documentRSS = `{"schema": "heapwright.collect/1", "files": [{"type": "vars", "path": "app-vars.json"}], "rss_bytes": 31000000}`

func TestFolder(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	dir := folderOf(t, map[string]string{
		"app-heap.pb.gz": profiletest.NewHeap(0).Heap(200_000, 100_000, stack).File(t, "heap"),
		"app-cpu.pb.gz":  profiletest.NewCPU().CPU(100, profiletest.Malloc+stack).CPU(300, "example.org/app.work@/src/app/x.go:9"+profiletest.Main).File(t, "cpu"),
		"broken.pb.gz":   "\x1f\x8bno",
		"notes.txt":      "not a profile",
		"app-vars.json":  vars,
		"result.json":    document,
	})
	doc, err := Run(t.Context(), Plan{Sources: []string{dir}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Sources) != 2 || doc.CPU == nil || len(doc.Sites) != 1 {
		t.Fatalf("%+v", doc)
	}
	parts := map[string]float64{}
	for _, p := range doc.Memory.Parts {
		parts[p.Name] = p.Bytes
	}
	for name, want := range map[string]float64{"live heap": 6.4e6, "garbage": 2.6e6, "free space in used spans": 1e6, "idle spans": 8e6, "stacks": 1e6} {
		if parts[name] != want {
			t.Errorf("%s is %v bytes, want %v", name, parts[name], want)
		}
	}
	if len(doc.Memory.Unknown) != 1 || !strings.Contains(doc.Memory.Unknown[0], "RSS") {
		t.Errorf("unknown: %q", doc.Memory.Unknown)
	}
	notes := strings.Join(doc.Notes, "\n")
	if !strings.Contains(notes, "broken.pb.gz") || !strings.Contains(notes, "no source") {
		t.Errorf("notes: %s", notes)
	}
}

// The figures of /metrics, which collect has read, explain the resident memory.
func TestFolderTellsRSS(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"app-heap.pb.gz": profiletest.NewHeap(0).Heap(200_000, 100_000, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "heap"),
		"app-vars.json":  vars,
		"result.json":    documentRSS,
	})
	doc, err := Run(t.Context(), Plan{Sources: []string{dir}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Memory
	if len(m.Unknown) != 0 || m.RSS == nil || *m.RSS != 31e6 || m.PeakRSS || m.Parts[len(m.Parts)-1].Name != "outside Go" {
		t.Errorf("%+v", m)
	}
}

// A name may hold anything; an error is one harmless line.
func TestUnknownSourceIsOneHarmlessLine(t *testing.T) {
	if _, err := Run(t.Context(), Plan{Sources: []string{"a\n\x1b[31mb"}, Dir: t.TempDir()}); err == nil || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%q", err)
	}
}

func TestBadSources(t *testing.T) {
	heap := profiletest.NewHeap(0).Heap(10, 5, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "heap")
	for _, test := range []struct {
		want    string
		sources []string
	}{
		{"no such file, folder, package or URL", []string{"nothing"}},
		{"http://127.0.0.1:1/", []string{"http://127.0.0.1:1"}},
		{"no profile in this folder", []string{t.TempDir()}},
		{"diagnosed alone", []string{heap, "./..."}},
		{"http://b:6060 beside http://a:6060", []string{"http://a:6060", "http://b:6060"}},
		{"several services, a_6060 and b_6060; name those of one:", []string{folderOf(t, map[string]string{
			"a_6060-heap-20260102T030405Z.pb.gz": heap, "a_6060-heap-20260102T030405Z-2.pb.gz": heap, "b_6060-heap-20260102T030405Z.pb.gz": heap})}},
	} {
		_, err := Run(t.Context(), Plan{Sources: test.sources, Dir: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", test.sources, err)
		}
	}
}

// A service that serves heap profiles alone is diagnosed by them.
func TestService(t *testing.T) {
	heap, err := os.ReadFile(profiletest.NewHeap(0).Heap(10, 5, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "heap"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/heap", func(w http.ResponseWriter, _ *http.Request) { w.Write(heap) })
	server := httptest.NewServer(mux)
	defer server.Close()
	doc, err := Run(t.Context(), Plan{Sources: []string{server.URL}, Dir: t.TempDir(), Service: collect.Plan{Duration: time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Sites) != 1 || !strings.Contains(strings.Join(doc.Notes, "\n"), "cpu was not collected: "+server.URL) {
		t.Errorf("%d sites, notes %q", len(doc.Sites), doc.Notes)
	}
}

// Parts that collect could not get, or put in doubt, are named.
func TestFolderTellsWhatIsMissing(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"app-heap-20260102T030405Z.pb.gz": profiletest.NewHeap(0).Heap(10, 5, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "heap"),
		"result.json": `{"schema": "heapwright.collect/1", "files": [], "warnings": ["there were 0 collections in the window"],
 "missing": [{"type": "cpu", "failed": true, "reason": "http://app/debug/pprof/profile: 500"}, {"type": "block", "failed": false, "reason": "404"}]}`,
	})
	doc, err := Run(t.Context(), Plan{Sources: []string{dir}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(doc.Notes, "\n")
	if !strings.Contains(notes, "cpu was not collected: http://app/debug/pprof/profile: 500") ||
		!strings.Contains(notes, "0 collections in the window") || strings.Contains(notes, "block") {
		t.Errorf("notes: %s", notes)
	}
}

// With another folder for packages, "." is the package there.
func TestPackageElsewhere(t *testing.T) {
	here, there := t.TempDir(), folderOf(t, map[string]string{"x.go": "package x\n"})
	t.Chdir(here)
	if err := os.Mkdir("profiles", 0o755); err != nil {
		t.Fatal(err)
	}
	in := inputs{plan: Plan{Dir: there}}
	for name, want := range map[string]location{".": goPackage, "./...": goPackage, "profiles": folder, there: goPackage, "nothing": unknown} {
		if got := in.locate(t.Context(), name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

// A service that answers each path with its own JSON serves no profiles: the error is
// about the service, not about the folder that diagnose made.
func TestServiceWithoutProfiles(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"version": "2.7.9"}`)) }))
	defer server.Close()
	_, err := Run(t.Context(), Plan{Sources: []string{server.URL}, Dir: t.TempDir(), Service: collect.Plan{Duration: time.Second}})
	if err == nil || !strings.Contains(err.Error(), server.URL) || !strings.Contains(err.Error(), "does the service import net/http/pprof") {
		t.Errorf("%v", err)
	}
}
