package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

const (
	countSource = `package lib

func Count(text []byte, names map[string]int) {
	key := string(text)
	names[key]++
	sink = make([]byte, len(text))
}

var sink []byte
`
	callerSource = `package main

import "example.org/lib"

func main() { lib.Count([]byte("a"), map[string]int{}) }
`
)

// libraryScene is a program that calls a dependency, of which most is allocated in
// one line. The profiles are the same whichever module is looked into.
func libraryScene(t *testing.T, files map[string]string, caller, modules string) []finding.Finding {
	t.Helper()
	const (
		text  = "example.org/lib.Count@example.org/lib@v1.0.0/lib.go:4 "
		other = "example.org/lib.Count@example.org/lib@v1.0.0/lib.go:6 "
		copyB = "runtime.slicebytetostring@/go/src/runtime/string.go:1 "
	)
	cpu := profiletest.NewCPU().CPU(40, profiletest.Worker).CPU(30, profiletest.Malloc+copyB+text+caller).CPU(20, text+caller).
		CPU(5, profiletest.Malloc+other+caller)
	heap := profiletest.NewHeap(0).Heap(1e6, 0, text+caller).Heap(1e5, 0, other+caller)
	return found(t, files, modules, cpu, heap)
}

// found returns the findings for a program with made-up profiles.
func found(t *testing.T, files map[string]string, modules string, cpu, heap *profiletest.Profile) []finding.Finding {
	t.Helper()
	all := evidence.NewProfiles(0)
	for name, p := range map[string]*profiletest.Profile{"cpu": cpu, "heap": heap} {
		if err := all.AddFile(p.File(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: dir, Modules: modules, Env: append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")})
	if err != nil {
		t.Fatal(err)
	}
	e, err := evidence.New(t.Context(), all, x, evidence.Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range e.Notes {
		t.Error(note)
	}
	findings, _ := Find(e)
	if len(findings) == 0 {
		t.Fatal("nothing was found")
	}
	return findings
}

// callerFiles are a program and its dependency in a vendor folder.
var callerFiles = map[string]string{
	"main.go": callerSource, "go.mod": "module ex.com/x\n\ngo 1.24\n\nrequire example.org/lib v1.0.0\n",
	"vendor/modules.txt":            "# example.org/lib v1.0.0\n## explicit; go 1.20\nexample.org/lib\n",
	"vendor/example.org/lib/lib.go": countSource,
}

// A call that takes most of the CPU time names the library, which may have mended it.
func TestHotCallOfLibrary(t *testing.T) {
	t.Parallel()
	const caller = "main.main@ex.com/x/main.go:5 runtime.main@/go/src/runtime/proc.go:1"
	cpu := profiletest.NewCPU().CPU(90, "example.org/lib.Count@example.org/lib@v1.0.0/lib.go:5 "+caller)
	f := found(t, callerFiles, "", cpu, profiletest.NewHeap(0).Heap(1, 0, caller))[0]
	if f.Rule != "hot-call" || f.Callee == nil || f.Callee.Module != "example.org/lib" || f.Callee.Version != "v1.0.0" {
		t.Errorf("%s of %+v", describe(f), f.Callee)
	}
}

// The same rule finds the same line of a library from outside and from inside.
func TestLibraryFromOutsideAndInside(t *testing.T) {
	t.Parallel()
	const (
		benchmark = "testing.(*B).runN@/go/src/testing/benchmark.go:1"
		main      = "main.main@ex.com/x/main.go:5 runtime.main@/go/src/runtime/proc.go:1"
	)
	inside := libraryScene(t, map[string]string{"lib.go": countSource, "go.mod": "module example.org/lib\n\ngo 1.20\n"}, benchmark, "")[0]
	if inside.Rule != "string-conversion" || inside.Line != 4 {
		t.Fatalf("inside: %s", describe(inside))
	}
	looked := libraryScene(t, callerFiles, main, "example.org/*")[0]
	if looked.Rule != inside.Rule || looked.Line != inside.Line || looked.Title != inside.Title || looked.Escape != inside.Escape || looked.CPU != inside.CPU {
		t.Errorf("with -modules: %s; as main module: %s", describe(looked), describe(inside))
	}
	outside := libraryScene(t, callerFiles, main, "")[0]
	if outside.Rule != "library-garbage" || outside.Line != 5 || outside.Function != "main.main" || len(outside.Library) != 2 {
		t.Fatalf("outside: %s, %+v", describe(outside), outside.Library)
	}
	has(t, outside.Remedy, "-modules")
	if outside.Example != "" || outside.Confidence != evidence.Low {
		t.Errorf("outside: example %q, confidence %s", outside.Example, outside.Confidence)
	}
	l := outside.Library[0]
	if l.Line != 4 || l.Rule != inside.Rule || l.Title != inside.Title || l.Module != "example.org/lib" || l.Version != "v1.0.0" || l.Source != "key := string(text)" {
		t.Errorf("the library's line: %+v", l)
	}
	if l.Share < 0.5 || l.Share+outside.Library[1].Share > 1.2 || l.CPU.High > outside.CPU.High+0.01 {
		t.Errorf("shares: %+v of %v", outside.Library, outside.CPU)
	}
}
