package diagnose

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	stack := "example.org/app.f@/src/app/x.go:1" + root
	dir := folderOf(t, map[string]string{
		"app-heap.pb.gz": madeHeap(0).heap(200_000, 100_000, stack).file(t, "heap"),
		"app-cpu.pb.gz":  madeCPU().cpu(100, malloc+stack).cpu(300, "example.org/app.work@/src/app/x.go:9"+root).file(t, "cpu"),
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

// What collect has read of /metrics explains what is resident.
func TestFolderTellsRSS(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"app-heap.pb.gz": madeHeap(0).heap(200_000, 100_000, "example.org/app.f@/src/app/x.go:1"+root).file(t, "heap"),
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

func TestBadSources(t *testing.T) {
	heap := madeHeap(0).heap(10, 5, "example.org/app.f@/src/app/x.go:1"+root).file(t, "heap")
	for _, test := range []struct {
		want    string
		sources []string
	}{
		{"no such file, folder, package or URL", []string{"nothing"}},
		{"heapwright collect", []string{"http://localhost:6060"}},
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

// A URL is fetched by whoever can, into a folder that is read like any other.
func TestService(t *testing.T) {
	heap := madeHeap(0).heap(10, 5, "example.org/app.f@/src/app/x.go:1"+root).file(t, "heap")
	doc, err := Run(t.Context(), Plan{Sources: []string{"http://localhost:6060"}, Dir: t.TempDir(),
		Collect: func(_ context.Context, _, dir string) error {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return os.Rename(heap, filepath.Join(dir, "heap.pb.gz"))
		}})
	if err != nil || len(doc.Sources) != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// What collect could not get, or put in doubt, is said.
func TestFolderTellsWhatIsMissing(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"app-heap-20260102T030405Z.pb.gz": madeHeap(0).heap(10, 5, "example.org/app.f@/src/app/x.go:1"+root).file(t, "heap"),
		"result.json": `{"schema": "heapwright.collect/1", "files": [], "warnings": ["there were 0 collections in the window"],
 "missing": [{"type": "cpu", "failed": true, "reason": "http://app/debug/pprof/profile: 500"}, {"type": "block", "failed": false, "reason": "404"}]}`,
	})
	doc, err := Run(t.Context(), Plan{Sources: []string{dir}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(doc.Notes, "\n")
	has(t, notes, "cpu was not collected: http://app/debug/pprof/profile: 500")
	has(t, notes, "0 collections in the window")
	if strings.Contains(notes, "block") {
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
	for name, want := range map[string]location{".": goPackage, "./...": goPackage, "profiles": folder, there: goPackage, "nothing": nowhere} {
		if got := in.locate(name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}
