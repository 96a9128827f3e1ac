package vet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/edit"
)

// A fix after which the package does not compile leaves its file alone, and the
// others of the package are changed.
func TestFixThatDoesNotCompile(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "a.go": "package m\n\nvar A = 1\n", "b.go": "package m\n\nvar B = 1\n"}
	for name, text := range files {
		write(t, dir, name, text)
	}
	report := func(file, value string) Report {
		at := strings.Index(files[file], "1")
		return Report{Package: "example.com/m", Place: Place{File: file}, Fix: &Fix{Edits: []edit.Edit{{File: filepath.Join(dir, file), Start: at, End: at + 1, New: value}}}}
	}
	d := &Document{Dir: dir, Reports: []Report{report("a.go", "2"), report("b.go", "undefined")}}
	all, err := d.Fix(t.Context(), Plan{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(all.Diff(d)), "--- a/a.go\n+++ b/a.go\n"; !strings.HasPrefix(got, want) || strings.Contains(got, "b/b.go") {
		t.Errorf("the diff is\n%swant %s…", got, want)
	}
	if !d.Reports[0].Fixed || d.Reports[1].Fixed {
		t.Errorf("fixed: %v %v, want the first", d.Reports[0].Fixed, d.Reports[1].Fixed)
	}
	if !slices.ContainsFunc(d.Notes, func(n string) bool {
		return strings.HasPrefix(n, "b.go is left alone: with the fixes it would not compile: b.go:3:9: undefined: undefined")
	}) {
		t.Errorf("notes %q", d.Notes)
	}
}

// A file that cannot be written is left alone, and its reports stay.
func TestFixThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.go", "package m\n\nvar A = 12\n")
	d := &Document{Dir: dir, Reports: []Report{{Fixed: true}, {Fixed: true}}}
	after := []byte("package m\n\nvar A = 3\n")
	tree, err := edit.OpenTree(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	all := &Changes{tree, []*change{
		{file: filepath.Join(dir, "a.go"), before: []byte("package m\n\nvar A = 12\n"), after: after, reports: []int{0}},
		{file: filepath.Join(dir, "gone.go"), after: after, reports: []int{1}},
	}}
	all.Write(d)
	if text, err := os.ReadFile(filepath.Join(dir, "a.go")); err != nil || string(text) != string(after) {
		t.Errorf("a.go holds %q, %v", text, err)
	}
	if all.Len() != 1 || !d.Reports[0].Fixed || d.Reports[1].Fixed {
		t.Errorf("%d files, reports %+v, want the first fixed", all.Len(), d.Reports)
	}
	if len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0], "gone.go is left alone: ") || strings.Contains(d.Notes[0], dir) {
		t.Errorf("notes %q", d.Notes)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
