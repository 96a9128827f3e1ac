package pairs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAllAreListed holds the list against the folders.
func TestAllAreListed(t *testing.T) {
	listed := map[string]Pair{}
	for _, p := range All {
		listed[p.Name] = p
	}
	tests, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tests {
		name := filepath.Dir(file)
		p, ok := listed[name]
		if !ok {
			t.Errorf("%s is not listed", name)
			continue
		}
		delete(listed, name)
		test, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(test), "func "+p.Benchmark+"(") {
			t.Errorf("%s has no %s", file, p.Benchmark)
		}
		source, err := os.ReadFile(filepath.Join(name, name+".go"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(source), " // want: ") {
			t.Errorf("%s: no line says which finding it wants", name)
		}
	}
	for name := range listed {
		t.Errorf("%s is listed but not there", name)
	}
}
