package source

import (
	"bytes"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A later Go writes a format that is not known here: an error, not a panic.
func TestNewerExportData(t *testing.T) {
	out, _, err := goCommand(t.Context(), Options{}, "", "list", "-export", "-f={{.Export}}", "errors")
	if err != nil {
		t.Skip(err)
	}
	data, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	begin := []byte("\n$$B\nu")
	i := bytes.Index(data, begin)
	if i < 0 {
		t.Skip("the export data is of another kind")
	}
	data[i+len(begin)] = 99 // the version, little-endian
	file := filepath.Join(t.TempDir(), "errors.a")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := importerOf(token.NewFileSet(), func(string) string { return file }, nil).Import("errors"); !errors.Is(err, errNewer) {
		t.Errorf("read %v, %v", p, err)
	}
}
