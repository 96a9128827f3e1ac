package report

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/report/reporttest"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds text against testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", path, diff)
	}
}

// written returns the output of a view.
func written(t *testing.T, view func(io.Writer, *result.Document) error, doc *result.Document) string {
	t.Helper()
	var b strings.Builder
	if err := view(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTable(t *testing.T) {
	small := reporttest.Document(2, 4, 12)
	for _, tt := range []struct {
		name  string
		doc   *result.Document
		style termtext.Style
	}{
		{"table-80.txt", small, termtext.Style{Columns: 80}},
		{"table-120.txt", small, termtext.Style{Columns: 200}},
		{"table-color.txt", small, termtext.Style{Color: true}},
		{"table-broken.txt", reporttest.Broken(reporttest.Document(1, 2, 12)), termtext.Style{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := written(t, func(w io.Writer, doc *result.Document) error {
				return Table(w, doc, "heapwright-out", tt.style)
			}, tt.doc)
			golden(t, tt.name, got)
			for line := range strings.Lines(got) {
				if n := utf8.RuneCountInString(line) - 1; !tt.style.Color && n > tt.style.Width() {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

// A server has one column more. Columns that do not fit beside the modes' names are
// left out.
func TestTableOfAServer(t *testing.T) {
	doc := reporttest.Document(1, 4, 12)
	for _, r := range doc.Untimed {
		r.Values["worst-gc-cpu-fraction"] = 0.25
	}
	for _, columns := range []int{80, 120} {
		got := written(t, func(w io.Writer, doc *result.Document) error {
			return Table(w, doc, "heapwright-out", termtext.Style{Columns: columns})
		}, doc)
		_, probes, _ := strings.Cut(got, "untimed runs")
		head, _, _ := strings.Cut(probes, "\n")
		if !strings.Contains(head, "peak GC CPU") || strings.Contains(head, "heap goal") != (columns > 80) || !strings.Contains(probes, "\n  nogreenteagc ") {
			t.Errorf("%d columns:\n%s", columns, probes)
		}
	}
}

func TestMarkdown(t *testing.T) {
	golden(t, "summary.md", written(t, Markdown, reporttest.Document(2, 4, 12)))
	golden(t, "summary-broken.md", written(t, Markdown, reporttest.Broken(reporttest.Document(1, 2, 12))))
}

// A mode of which every run failed is no open question.
func TestModesThatFailed(t *testing.T) {
	doc := &result.Document{
		Baseline: "gctune", Modes: []result.Mode{{Name: "gctune"}, {Name: "GOGC=20"}},
		Failures: []result.Failure{{Mode: "GOGC=20", Reason: "killed: out of memory"}},
	}
	for name, got := range map[string]string{"Markdown": written(t, Markdown, doc), "HTML": written(t, HTML, doc)} {
		for _, want := range []string{"Keep gctune", "every other mode failed", "killed: out of memory"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
}

func TestMarkdownFitsAComment(t *testing.T) {
	doc := reporttest.Document(1, 2, 12)
	for range 3000 {
		reporttest.Broken(doc)
	}
	got := written(t, Markdown, doc)
	if n := utf8.RuneCountInString(got); n > 65_536 || n < 32_768 {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(got, "Cut to fit a comment") || strings.Count(got, "<details>") != strings.Count(got, "</details>") {
		t.Errorf("ends with %q", got[len(got)-400:])
	}
}

func TestCSV(t *testing.T) {
	doc := reporttest.Broken(reporttest.Document(1, 2, 2))
	got := written(t, CSV, doc)
	golden(t, "results.csv", got)
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := 1
	for _, r := range append(result.Finite(doc).Runs, doc.Untimed...) {
		want += len(r.Values)
	}
	if len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
}

func TestHTML(t *testing.T) {
	golden(t, "report.html", written(t, HTML, reporttest.Document(1, 3, 12)))
}

// Stamps that contradict each other give no duration.
func TestClockThatWasSet(t *testing.T) {
	doc := reporttest.Document(1, 2, 12)
	for _, tt := range []struct {
		finished time.Time
		want     string
	}{
		{doc.Started, "after 0 s"},
		{doc.Started.Add(-time.Second), "after a time that is not known"},
		{doc.Started.AddDate(300, 0, 0), "after a time that is not known"},
		{time.Time{}, "cut short"},
	} {
		doc.Finished = tt.finished
		if got := ended(doc); !strings.HasPrefix(got, tt.want) {
			t.Errorf("finished at %v: %q, want %q", tt.finished, got, tt.want)
		}
	}
}

// The page is one file: it names no other, and allows only its own style and
// script.
func TestHTMLStandsAlone(t *testing.T) {
	got := written(t, HTML, reporttest.Broken(reporttest.Document(3, 4, 12)))
	for _, pattern := range []string{`src=`, `url\(`, `@import`, `<link`, `<img`, `<iframe`, `href="[^#]`, ` on[a-z]+="`, ` style="`} {
		if m := regexp.MustCompile(pattern).FindString(got); m != "" {
			t.Errorf("the page contains %q", m)
		}
	}
	if n := strings.Count(got, "<script"); n != 1 {
		t.Errorf("%d scripts, want only the page's own", n)
	}
}

func TestHTMLStaysSmall(t *testing.T) {
	got := written(t, HTML, reporttest.Document(30, 10, 40))
	if len(got) > 2_000_000 {
		t.Errorf("10 modes × 30 benchmarks take %d bytes", len(got))
	}
}

// Whatever a target writes, no control and no formatting character reaches a
// file that people open.
func TestHarmless(t *testing.T) {
	dir := t.TempDir()
	if err := WriteAll(dir, reporttest.Broken(reporttest.Document(1, 3, 12))); err != nil {
		t.Fatal(err)
	}
	for name, data := range tree(t, dir) {
		if i := strings.IndexFunc(data, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x202e
		}); i >= 0 && filepath.Ext(name) != ".json" {
			t.Errorf("%s: %q", name, data[max(0, i-40):i+4])
		}
		if name != filepath.Base(name) && !strings.HasPrefix(name, "tsv"+string(filepath.Separator)) {
			t.Errorf("a file where none belongs: %s", name)
		}
	}
}

// The document is all: views of a loaded one equal those of the original.
func TestRoundTrip(t *testing.T) {
	for _, doc := range []*result.Document{
		reporttest.Document(2, 4, 12), reporttest.Broken(reporttest.Document(2, 3, 12)), {Schema: result.Schema},
	} {
		first, second := t.TempDir(), t.TempDir()
		if err := WriteAll(first, doc); err != nil {
			t.Fatal(err)
		}
		loaded, err := result.Load(t.Context(), filepath.Join(first, JSON))
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteAll(second, loaded); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tree(t, first), tree(t, second)); diff != "" {
			t.Errorf("views differ:\n%s", diff)
		}
	}
}

// tree reads all files of a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Remove leaves files that WriteAll has not written.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	if err := Remove(dir); err != nil {
		t.Errorf("where nothing was written: %v", err)
	}
	for _, own := range []string{"own.txt", "tsv/own.tsv"} {
		if err := WriteAll(dir, reporttest.Broken(reporttest.Document(2, 3, 12))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(own)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Remove(dir); err != nil {
			t.Error(err)
		}
		if files := tree(t, dir); len(files) != 1 {
			t.Errorf("beside %s it leaves %q", own, slices.Sorted(maps.Keys(files)))
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteAllNamesWhatItCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteAll(file, reporttest.Document(1, 2, 2)); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one that names %s", err, file)
	}
	// A folder in the way of one view does not keep the others from it.
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "summary.md", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteAll(dir, reporttest.Document(1, 2, 2)); err == nil || !strings.Contains(err.Error(), "summary.md") {
		t.Errorf("error %v, want one that names summary.md", err)
	}
	files := tree(t, dir)
	for _, name := range []string{JSON, "report.html", "results.csv", filepath.Join("tsv", "index.tsv")} {
		if files[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	// Where a disk is full, no file can be written: one reason is enough.
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tsv"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	err := WriteAll(dir, reporttest.Document(3, 3, 12))
	if err == nil || strings.Count(err.Error(), "\n") > 1 || !strings.Contains(err.Error(), " more files could not be written") {
		t.Errorf("with a file in the place of a folder: %v", err)
	}
}

// Whatever document can be loaded, every view of it can be written.
func FuzzViews(f *testing.F) {
	f.Add([]byte(`{"schema":"heapwright.report/1","baseline":"x#control"}`))
	for _, doc := range []*result.Document{reporttest.Document(1, 2, 3), reporttest.Broken(reporttest.Document(1, 2, 3))} {
		data, err := json.Marshal(result.Finite(doc))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := result.Decode(data)
		if err != nil {
			return
		}
		g := newGrid(doc)
		for _, v := range views {
			for _, file := range v(g) {
				if err := file.write(io.Discard); err != nil {
					t.Fatalf("%s: %v", file.name, err)
				}
			}
		}
		if err := Table(io.Discard, doc, "", termtext.Style{}); err != nil {
			t.Fatal(err)
		}
	})
}
