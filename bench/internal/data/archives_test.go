package data_test

import (
	"path/filepath"
	"testing"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// Nothing else compiles the programs in archives until somebody measures them.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the programs")
	}
	for _, name := range []string{"reports/own.txtar", "rss/target.txtar", "trace/storm.txtar", "tune/programs.txtar"} {
		dir := t.TempDir()
		if err := data.Unpack(filepath.Join("..", "..", name), dir); err != nil {
			t.Fatal(err)
		}
		if err := program.Outside(dir).Run(t.Context(), "go", "vet", "./..."); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
