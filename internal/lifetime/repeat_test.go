package lifetime_test

import (
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heapwright/heapwright/internal/lifetime"
)

// The same packages have the same faults, however Go orders its maps.
// More runs, with HEAPWRIGHT_THOROUGH=1, see more orders.
func TestRepeated(t *testing.T) {
	again := 1
	if os.Getenv("HEAPWRIGHT_THOROUGH") != "" {
		again = 4
	}
	defer debug.SetGCPercent(debug.SetGCPercent(300)) // much of the time would go into collections
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax,
		Dir:  "testdata",
		Env:  append(os.Environ(), "GOWORK=off", "GOPROXY=off"),
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	first := faults(t, pkgs)
	if len(first) == 0 {
		t.Fatal("testdata has no faults")
	}
	for range again {
		repeated := faults(t, pkgs)
		for _, path := range slices.Sorted(maps.Keys(first)) {
			if first[path] != repeated[path] {
				t.Errorf("%s: the faults are\n%s\nand then\n%s", path, first[path], repeated[path])
			}
		}
	}
}

// faults returns the faults of each package as text.
func faults(t *testing.T, pkgs []*packages.Package) map[string]string {
	graph, err := checker.Analyze([]*analysis.Analyzer{lifetime.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, a := range graph.Roots {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		for _, f := range a.Result.([]lifetime.Fault) {
			all[a.Package.PkgPath] += fmt.Sprintln(a.Package.Fset.Position(f.Pos), f.Kind, f.Message, len(f.Related))
		}
	}
	return all
}
