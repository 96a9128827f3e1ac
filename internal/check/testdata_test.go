package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Each check reports the faults that are planted in its testdata, and nothing else. Its fixes
// make the golden files. Checks that need more than that have a test of their own name. All
// others share this one, because each program of tests takes time to link.
func TestPlanted(t *testing.T) {
	// The standard library is type-checked from source for each check: half of the time would go
	// into collections.
	defer debug.SetGCPercent(debug.SetGCPercent(300))
	t.Run("checks", func(t *testing.T) {
		for _, c := range Checks {
			if _, err := os.Stat(filepath.Join(c.Name, c.Name+"_test.go")); err == nil {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				planted(t, c.Analyzer)
			})
		}
	})
}

func planted(t *testing.T, a *analysis.Analyzer) {
	dir, err := filepath.Abs(filepath.Join(a.Name, "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	packages, run := []string(nil), analysistest.Run
	err = filepath.WalkDir(filepath.Join(dir, "src"), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(name, ".golden"):
			run = analysistest.RunWithSuggestedFixes
		case d.IsDir() && filepath.Dir(name) == filepath.Join(dir, "src") && !strings.Contains(d.Name(), "."):
			packages = append(packages, d.Name()) // others are stubs of libraries
		}
		return nil
	})
	if os.IsNotExist(err) { // the checks of arenas share their packages
		dir, packages, err = filepath.Join("..", "lifetime", "testdata"), []string{"./" + a.Name + "/...", "./clean"}, nil
	}
	if err != nil || len(packages) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	run(t, dir, a, packages...)
}
