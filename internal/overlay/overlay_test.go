package overlay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestMerge(t *testing.T) {
	files := Files{"/a": []byte("a")}
	if err := files.Merge(Files{"/a": []byte("a"), "/b": []byte("b")}); err != nil || len(files) != 2 {
		t.Errorf("%v, %q", err, files)
	}
	if err := files.Merge(Files{"/a": []byte("other")}); err == nil || string(files["/a"]) != "a" {
		t.Errorf("two contents of one file: %v, %q", err, files)
	}
}

// Equal overlays are one document, so that the go command finds the build up to date.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	files := Files{"/src/a.go": []byte("package a"), "/src/b/a.go": []byte("package b")}
	document, err := files.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := files.Write(dir); err != nil || again != document {
		t.Errorf("written again to %s, was %s: %v", again, document, err)
	}
	if other, err := (Files{"/src/a.go": []byte("package c")}).Write(dir); err != nil || other == document {
		t.Errorf("another overlay has the same document %s: %v", other, err)
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var read struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		if got, err := os.ReadFile(read.Replace[path]); err != nil || string(got) != string(want) {
			t.Errorf("%s is replaced by %q: %v", path, got, err)
		}
	}
}
