package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/result"
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
	if got != string(want) {
		t.Errorf("%s differs; see what changed by go test -update and git diff. Got\n%s", path, got)
	}
}

func TestTable(t *testing.T) {
	small := document(shape{2, 4, 12})
	for _, tt := range []struct {
		name  string
		doc   *result.Document
		style Style
	}{
		{"table-80.txt", small, Style{Columns: 80}},
		{"table-120.txt", small, Style{Columns: 200}},
		{"table-color.txt", small, Style{Color: true}},
		{"table-broken.txt", broken(document(shape{1, 2, 12})), Style{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := Table(&b, tt.doc, "heapwright-out", tt.style); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, b.String())
		})
	}
}
