package tune

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// A module without a program is a library, whatever its benchmarks run.
func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/m\n\ngo 1.20\n")
	write("a.go", "package m\n")
	p := Plan{Target: &target.Packages{Names: []string{"."}}, Dir: dir}
	if !p.library(t.Context()) {
		t.Error("a module without a main package is no library")
	}
	p.Target = &target.Command{Main: "."}
	if p.library(t.Context()) {
		t.Error("a command is a library")
	}
	p.Target = &target.Packages{Names: []string{"."}}
	write("cmd/x/main.go", "package main\n\nfunc main() {}\n")
	if p.library(t.Context()) {
		t.Error("a module with a main package is a library")
	}
}

// Of a library the answer begins with its code, and there are no lines for an
// environment that is its users'.
func TestConcludeLibrary(t *testing.T) {
	d := &Document{
		Library: true,
		Diagnosis: &diagnose.Document{Findings: []rules.Finding{
			{Title: "many short-lived objects", File: "tree.go", Line: 7, CPU: evidence.Range{High: 0.4}},
		}},
		Modes: measured(outcome{"floor=100MiB", verdict.Adopt, 0.7, 1.2}),
	}
	d.Tried = judge(d.Modes, tryable[2:3], 0, Prices{})
	d.conclude(Plan{}, tryable[2:3], "floor=100MiB")
	if !strings.HasPrefix(d.Answer, "First change tree.go:7") || !strings.Contains(d.Answer, "Programs that use this library may gain by floor=100MiB") {
		t.Errorf("answer %q", d.Answer)
	}
	if len(d.Advice.Lines) > 0 || d.Advice.Rollback != "" {
		t.Errorf("advice %+v", d.Advice)
	}
}
