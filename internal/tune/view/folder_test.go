package view

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/experiment"
)

// A repository may hold a folder of results with a link in it, beside a file that looks
// like an earlier tuning.
func TestSaveRemovesNothingThroughALink(t *testing.T) {
	outside := t.TempDir()
	t.Chdir(t.TempDir())
	mine := filepath.Join(outside, experiment.ResultsFile)
	err := errors.Join(os.WriteFile(mine, nil, 0o600), os.Mkdir("out", 0o755), os.WriteFile(filepath.Join("out", "tune.json"), nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join("out", "final")); err != nil {
		t.Skip(err)
	}
	f := &Folder{Dir: "out"}
	if err := f.removeComparisons(); err == nil || !strings.Contains(err.Error(), "through a link") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
