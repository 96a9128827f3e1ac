//go:build linux || darwin

package experiment_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

func hold(lock *os.File) error { return syscall.Flock(int(lock.Fd()), syscall.LOCK_SH) }

// compare measures a command in two modes, for so many blocks.
func compare(t *testing.T, command []string, modes string, blocks int) *result.Document {
	t.Helper()
	parsed, err := mode.Parse(modes)
	if err != nil {
		t.Fatal(err)
	}
	dir, doc := t.TempDir(), experiment.NewDocument()
	err = experiment.Run(t.Context(), experiment.Plan{
		Target: &target.Command{Args: command}, Modes: parsed, Dir: dir, OutDir: filepath.Join(dir, "out"),
		Blocks: blocks, Timeout: 3 * time.Second,
	}, doc, nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func self(t *testing.T) []string {
	t.Helper()
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{file, "child"}
}

// A program that hangs is ended, with all processes that it started, and counts
// as failed in that run alone.
func TestProgramThatHangs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	lock, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	t.Setenv("LOCK", name)
	doc := compare(t, self(t), "default,CHILD=hang", 1)
	// A block from which the hypervisor stole CPU time is measured again.
	if len(doc.Failures) == 0 {
		t.Error("there is no failure")
	}
	for _, f := range doc.Failures {
		if f.Mode != "CHILD=hang" || f.Block != 1 || f.Reason != "timed out after 3s" {
			t.Errorf("a failure is %+v", f)
		}
	}
	if len(doc.Runs) != 2 {
		t.Errorf("%d runs are kept, want those of the baseline and the control", len(doc.Runs))
	}
	// Both processes share this lock; it is free when both have ended.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Error(err)
	}
}

func TestProgramThatDies(t *testing.T) {
	doc := compare(t, self(t), "default,CHILD=die", 4)
	for _, f := range doc.Failures {
		if f.Mode != "CHILD=die" || f.Reason != "exit status 2" || f.Output != "no more" {
			t.Errorf("a failure is %+v", f)
		}
	}
	if len(doc.Failures) != 3 || len(doc.Runs) != 4*2 {
		t.Errorf("%d failures and %d runs, want 3 and 8", len(doc.Failures), len(doc.Runs))
	}
}

// A program's output is not taken for the collector's trace, for results or for the
// file's own lines.
func TestProgramThatPrintsGarbage(t *testing.T) {
	doc := compare(t, self(t), "default,CHILD=garbage", 3)
	if len(doc.Failures) > 0 || len(doc.Runs) != 9 || len(doc.Benchmarks) != 1 {
		t.Errorf("%d runs of %+v, failures %+v", len(doc.Runs), doc.Benchmarks, doc.Failures)
	}
}

// A program that Go did not build can be compared in all modes that need no
// build.
func TestProgramThatIsNotGo(t *testing.T) {
	if _, err := exec.LookPath("true"); err != nil {
		t.Skip("no program named true")
	}
	doc := compare(t, []string{"true"}, "default,FOO=1,FOO=2", 1)
	for _, m := range doc.Modes {
		if m.Failed != "" || len(m.Binaries) == 0 || !strings.Contains(strings.Join(m.Run, " "), "true") {
			t.Errorf("mode %+v", m)
		}
	}
	if len(doc.Runs) != 4 {
		t.Errorf("%d runs, want one for each mode and the control", len(doc.Runs))
	}
}
