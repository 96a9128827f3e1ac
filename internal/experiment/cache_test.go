package experiment

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestUnusedCellsAreRemoved(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "cells", "one")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "program"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	there := func() bool { _, err := os.Stat(dir); return err == nil }

	trimCells(root, time.Now().Add(unusedFor-time.Hour))
	if !there() {
		t.Error("a cell that was used lately is gone")
	}
	trimCells(root, time.Now().Add(unusedFor+time.Hour))
	if there() {
		t.Error("a cell that nobody uses is still there")
	}
}
