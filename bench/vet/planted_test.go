package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlants(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"poolput/testdata/src/a/a.go":   "package a\n\nvar x = 1 // want `one` `two`\nvar y = 2 // want \"three\"\nvar z = 3 // missed: too far away\n",
		"poolput/testdata/src/b/b.go":   "package b // wanted: nothing\n",
		"poolput/poolput.go":            "package poolput // want `of no testdata`\n",
		"arenas/testdata/arenause/a.go": "package a // want `one`\n",
		"pooled/testdata/src/a/a.go":    "package a // want `of no check`\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all, err := plants(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all["poolput"] != (plantCount{3, 1}) || all["arenause"] != (plantCount{1, 0}) {
		t.Errorf("counted %v", all)
	}
}
