package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blind are the pairs that were written without a look at the rules, to see how well
// the saving of a cure is predicted for kinds that the rules may not know. Their lines
// name no finding: a name that was guessed would say nothing about the rules. The last five
// were written to check the rules that join prices, when these stood.
var blind = map[string]bool{
	"bignum": true, "closure": true, "contextvalue": true, "embedded": true, "linkedlist": true,
	"matrix": true, "sentinel": true, "smallset": true, "split": true, "view": true,
	"hashtext": true, "pattern": true, "response": true, "timestamp": true, "unique": true,
}

// A pair that is not listed would not be measured, and a benchmark that is not there
// would fail only after hours.
func TestAllAreListed(t *testing.T) {
	const root = "../.."
	listed := map[string]bool{}
	for _, p := range all() {
		listed[filepath.Join(root, p.pkg)] = true
		tests, err := filepath.Glob(filepath.Join(root, p.pkg, "*_test.go"))
		if err != nil || len(tests) == 0 {
			t.Fatalf("%s has no test: %v", p.pkg, err)
		}
		text := ""
		for _, file := range tests {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text += string(source)
		}
		benchmark := regexp.MustCompile(`\w+`).FindString(p.bench)
		if !strings.Contains(text, "func "+benchmark+"(") {
			t.Errorf("%s has no %s", p.pkg, benchmark)
		}
	}
	folders, err := filepath.Glob(filepath.Join(root, "workloads", "pairs", "*"))
	if err != nil || len(folders) == 0 {
		t.Fatal(err)
	}
	for _, dir := range folders {
		if !listed[dir] {
			t.Errorf("%s is not listed", dir)
		}
		source, err := os.ReadFile(filepath.Join(dir, filepath.Base(dir)+".go"))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(dir)
		if says := strings.Contains(string(source), " // want: "); says == blind[name] {
			t.Errorf("%s: a line says which finding it wants: %t, and it is blind: %t", dir, says, blind[name])
		}
	}
}
