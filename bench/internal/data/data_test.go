package data

import (
	"reflect"
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
