package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/internal/patch"
)

// A program that is not in the table would not be measured, and a cure that does not fit
// would end a run after an hour.
func TestFaults(t *testing.T) {
	text, err := plants.ReadFile("planted/faults.toml")
	if err != nil {
		t.Fatal(err)
	}
	var faults map[string]*fault
	if _, err := toml.Decode(string(text), &faults); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("..", corpus, "*", "main.go"))
	if err != nil || len(files) != len(faults) {
		t.Fatalf("%d programs and %d rows: %v", len(files), len(faults), err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		f := faults[name]
		clean := strings.HasPrefix(name, "clean-")
		if f == nil || (f.Listed == "" && f.Other == "") != clean || f.Listed != "" && (f.Other != "" || len(f.Want) == 0) {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		if f.Listed == "" {
			continue
		}
		diff, err := plants.ReadFile("planted/" + name + ".diff")
		if err != nil {
			t.Fatal(err)
		}
		p, err := patch.Parse(diff)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if texts, err := p.Apply(patch.Read, filepath.Dir(file)); err != nil || len(texts) != 1 {
			t.Errorf("%s: %d files, %v", name, len(texts), err)
		}
	}
	if all, err := plants.ReadDir("planted"); err != nil || slices.ContainsFunc(all, func(e os.DirEntry) bool {
		name, diff := strings.CutSuffix(e.Name(), ".diff")
		return diff && (faults[name] == nil || faults[name].Listed == "")
	}) {
		t.Errorf("a cure is of no listed fault: %v", err)
	}
}
