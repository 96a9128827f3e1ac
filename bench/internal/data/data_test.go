package data

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

func TestArchive(t *testing.T) {
	a := Archive(fstest.MapFS{"a.txtar": {Data: []byte("# a comment\nname: x: y\n\n-- t.tsv --\na\t\tb\nc\n-- old --\n\tline\n\n-- none --\n")}}, "a.txtar")
	if h := Header(a.Comment); !reflect.DeepEqual(h, map[string]string{"name": "x: y"}) {
		t.Error(h)
	}
	if rows := Table(a.Files[0].Data); !reflect.DeepEqual(rows, [][]string{{"a", "", "b"}, {"c"}}) {
		t.Errorf("%q", rows)
	}
	if Text(a.Files[1]) != "\tline\n" || Text(a.Files[2]) != "" || Text(txtar.File{Data: []byte("x\n")}) != "x" {
		t.Error("a text is not what the file has without its last newline")
	}
	for _, broken := range []func(){
		func() { Header([]byte("no key\n")) },
		func() { Archive(fstest.MapFS{}, "a.txtar") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a fault in the data passes")
				}
			}()
			broken()
		}()
	}
}

func TestMarked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nvar x = 1 // here: one\n", "b.txt": "// here: two\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	marks, err := Marked(dir, regexp.MustCompile(`// here: (\w+)$`))
	if err != nil || len(marks) != 1 || marks[0].String() != "a.go:3" || marks[0].Groups[1] != "one" {
		t.Errorf("%+v, %v", marks, err)
	}
	if _, err := Marked(dir, regexp.MustCompile("nowhere")); err == nil {
		t.Error("a mark that no line has is found")
	}
}
